#!/bin/sh
# Runs an unpacked release with the Node in it; needs neither Node nor npm nor a network.
set -eu
root=$(dirname -- "$(readlink -f -- "$0")")
usage() {
  cat <<END
用法：
  ./storage start [--demo] [--services=api,gateway,worker]   启动服务，Ctrl-C 停止
  ./storage backup --to 文件夹 [--keep 份数]                 备份内置数据库、文件和主密钥
  ./storage restore 备份 --into 新的数据文件夹               核对并恢复一份备份；演练用 --check
  ./storage migrate                                          升级外部数据库的表结构（MIGRATE=off 时）
  ./storage tenant export|erase 租户编号 …                   导出或清除一个租户的全部数据
  ./storage account list|reset|unlock|remove-second-factor   账号的一次性密码、登录限制、两步验证
  ./storage key prepare|activate|reseal                      轮换主密钥
  ./storage status                                           版本、数据库、柜机数、备份、是否就绪
  ./storage doctor                                           逐项检查，说明怎么办；有不行的退出码为 1
  ./storage psql [--write] [-- 参数]                         用本机的 psql 打开数据库
  ./storage simulate                                         运行模拟柜机
  ./storage version                                          版本和提交编号
  ./storage help [章]                                        运维手册的目录或一章，例如 ./storage help 10
设置由环境变量给出，见 .env.example；数据默认在 $root/data，请用 DATA_DIR 指定别处。
END
}
command=${1:-help}
[ $# -eq 0 ] || shift
case $command in
  start) program=apps/server/src/main.ts ;;
  backup | restore)
    program=apps/server/src/backup/main.ts
    set -- "$command" "$@"
    ;;
  account | doctor | key | migrate | psql | status | tenant)
    program=apps/server/src/admin/main.ts
    set -- "$command" "$@"
    ;;
  simulate) program=apps/simulator/src/main.ts ;;
  version) exec cat "$root/release.json" ;;
  help | --help)
    for chapter in "$root/docs/sre/${1:-none}"*.md; do [ ! -f "$chapter" ] || exec cat "$chapter"; done
    usage
    echo "运维手册（./storage help 编号）："
    for chapter in "$root"/docs/sre/*.md; do
      [ ! -f "$chapter" ] || echo "  $(basename "$chapter" | cut -c1-2) $(head -n 1 "$chapter" | sed 's/^# //')"
    done
    exit 0
    ;;
  *) usage >&2; exit 2 ;;
esac
# Private files: the code cache may create DATA_DIR before the server does.
umask 077
# The backup commands resolve relative paths against this folder, as under npm.
export INIT_CWD="$PWD"
cd "$root"
export DATA_DIR="${DATA_DIR:-data}"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$DATA_DIR/cache/node}"
exec "$root/bin/node" "$program" "$@"
