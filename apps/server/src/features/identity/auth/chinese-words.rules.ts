// Words in pinyin and numbers that Chinese passwords are made of; the dictionaries of the estimator know English.

const surnames = `wang li zhang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin he guo ma luo liang song zheng xie
  han tang feng yu dong xiao cheng cao yuan deng fu shen zeng peng lv su lu jiang cai jia ding wei xue ye yan pan
  du dai xia zhong wei tian ren fan fang shi yao tan liao zou xiong jin hao kong bai cui kang mao qiu qin gu hou shao
  meng long wan duan qian tang yin li yi chang wu qiao he lai gong wen`;

const places = `zhongguo beijing shanghai guangzhou shenzhen hangzhou nanjing suzhou chengdu chongqing wuhan xian tianjin
  changsha zhengzhou qingdao dalian ningbo xiamen fuzhou jinan hefei kunming shenyang haerbin changchun shijiazhuang
  taiyuan nanchang guiyang nanning haikou lanzhou xining yinchuan wulumuqi lasa huhehaote wenzhou wuxi foshan dongguan
  zhuhai changzhou yantai xuzhou zhejiang jiangsu guangdong shandong henan hebei hunan hubei sichuan fujian anhui
  jiangxi liaoning jilin heilongjiang shanxi shaanxi gansu qinghai hainan guizhou yunnan taiwan xianggang aomen`;

const phrases = `woaini aini woaiwojia baobao baobei laopo laogong mama baba gege jiejie didi meimei nihao woshishui
  shunshun facai gongxi xinnian kuaile shengri pengyou xuesheng laoshi gongsi guanli guanliyuan yunying yunwei kefu
  mima denglu zhanghao ceshi xitong houtai chuncun cunqu cunchu guizi kuaidi kuaigui waimai peisong qujian jijian
  xiaoming xiaohong xiaohua tiantian mingming lele jiajia tingting lili feifei weiwei yangyang qiqi wangwang`;

/** Departments, posts and things of an office, and of this trade. */
const office = `admin caiwu kuaiji chuna yunwei yunying guanli guanliyuan kefu xiaoshou shichang renshi xingzheng jishu kaifa
  ceshi anquan cangku caigou wuliu peisong zongjingli jingli laoban boss zongbu fenbu mendian menhu houtai qiantai shouyin
  shouyintai dianzhang yuangong gongsi jituan bangong bangongshi xitong fuwuqi shujuku wangluo jiankong weixiu weihu
  xiangmu hetong fapiao zhangwu chengben gongzi shebao dianhua mima denglu zhanghao yonghu huiyuan dingdan zhifu qianbao
  chongzhi tuikuan baoxiu guzhang shebei kuaidi kuaigui cunqu jicun guizi gezi qujian jijian paijian shoujian yizhan`;

const brands = `huawei xiaomi alibaba taobao tmall jingdong tencent tengxun weixin wechat alipay zhifubao baidu aliyun
  meituan eleme pinduoduo douyin kuaishou bytedance toutiao didi shunfeng yuantong zhongtong shentong yunda jitu cainiao
  fengchao hivebox haier midea gree lenovo oppo vivo honor zte hikvision dahua unicom telecom mobile dingding dingtalk
  feishu kingdee yonyou jinshan qihoo netease wangyi bilibili weibo zhihu microsoft windows google apple iphone samsung
  oracle mysql redis linux ubuntu centos docker nginx tomcat jenkins gitlab spring apache postgres`;

/** The product as its users call it. */
export const productNames = [
  "zhinengcunqu",
  "zhinengcunquxitong",
  "cunqugui",
  "cunquxitong",
  "zhinenggui",
  "kuaidigui",
  "jicungui",
  "znjq",
  "znhq",
  "zncq",
  "smartstorage",
  "cabinet",
  "smartcabinet",
];

const numbers = `520 521 1314 5201314 1314520 5211314 1314521 3344 3344520 7758521 7758258 147258 147258369 159357 888 8888
  88888888 666 6666 666666 168 1688 518 5188 999 9999 110 120 119 12306 10086 10010 10000 400 2008 2020 2022 2024 2025
  2026 1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 2000`;

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word.length > 1);

/** The most frequent first, as the estimator expects: their rank is the number of guesses. */
export const chineseWords: string[] = [
  ...new Set([numbers, office, phrases, brands, surnames, places].flatMap(wordsOf)),
];
