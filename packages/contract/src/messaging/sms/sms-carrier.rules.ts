// Pure rules of SMS carriers: which ones exist, and the remedy for each of their error codes.

export const SMS_CARRIERS = ["ALIYUN", "TENCENT"] as const;
export type SmsCarrierName = (typeof SMS_CARRIERS)[number];
export const smsCarrierText: Record<SmsCarrierName, string> = {
  ALIYUN: "阿里云短信",
  TENCENT: "腾讯云短信",
};

const sign = "短信签名未通过审核，或不属于这个账号：请核对签名";
const template = "短信模板不存在、未通过审核，或不属于这个账号：请核对模板代码";
const params = "模板变量与模板不符：请核对变量的名称、个数与内容";
const tooLong = "模板变量的内容过长：请缩短后重发";
const phone = "手机号无效，或已被运营商拉黑";
const frequent = "运营商限制了发给这个手机号的频率，请稍后再试";
const quota = "达到短信控制台设置的发送上限：请在控制台调整";
const arrears = "短信通道欠费或套餐包用尽：请为通道账号充值";
const rights = "密钥没有短信权限：请为它授予短信服务的权限";
const secret = "密钥不正确或已停用：请核对访问密钥";
const busy = "短信通道繁忙";
const words = "内容含有被屏蔽的词：请修改模板变量";
const application = "应用编号不存在，或不属于这个账号：请核对 SdkAppId";

/** By the carriers' own codes; codes of Aliyun and Tencent Cloud never collide. */
const adviceOf: Record<string, string> = {
  "isv.SMS_SIGNATURE_ILLEGAL": sign,
  "isv.SMS_SIGN_ILLEGAL": sign,
  "isv.SMS_SIGNATURE_SCENE_ILLEGAL": sign,
  "isv.SMS_TEMPLATE_ILLEGAL": template,
  "isv.TEMPLATE_MISSING_PARAMETERS": params,
  "isv.TEMPLATE_PARAMS_ILLEGAL": params,
  "isv.INVALID_JSON_PARAM": params,
  "isv.INVALID_PARAMETERS": params,
  "isv.PARAM_LENGTH_LIMIT": tooLong,
  "isv.PARAM_NOT_SUPPORT_URL": "模板变量里不能有网址：请修改模板变量",
  "isv.MOBILE_NUMBER_ILLEGAL": phone,
  "isv.BUSINESS_LIMIT_CONTROL": frequent,
  "isv.DAY_LIMIT_CONTROL": quota,
  "isv.MONTH_LIMIT_CONTROL": quota,
  "isv.AMOUNT_NOT_ENOUGH": arrears,
  "isv.OUT_OF_SERVICE": arrears,
  "isv.PRODUCT_UN_SUBSCRIPT": "这个账号没有开通短信服务：请先开通",
  "isv.PRODUCT_UNSUBSCRIBE": "这个账号没有开通短信服务：请先开通",
  "isv.ACCOUNT_NOT_EXISTS": secret,
  "isv.ACCOUNT_ABNORMAL": "短信账号异常：请登录阿里云控制台查看",
  "isv.BLACK_KEY_CONTROL_LIMIT": words,
  "isv.SMS_CONTENT_ILLEGAL": words,
  "isp.RAM_PERMISSION_DENY": rights,
  "isv.RAM_PERMISSION_DENY": rights,
  "isp.SYSTEM_ERROR": busy,
  "InvalidAccessKeyId.NotFound": secret,
  "InvalidAccessKeyId.Inactive": secret,
  SignatureDoesNotMatch: secret,
  NoPermission: rights,
  "Forbidden.RAM": rights,
  "Throttling.User": busy,
  "Throttling.Api": busy,
  "FailedOperation.SignatureIncorrectOrUnapproved": sign,
  "FailedOperation.MissingSignature": sign,
  "FailedOperation.TemplateIncorrectOrUnapproved": template,
  "FailedOperation.TemplateUnapprovedOrNotExist": template,
  "FailedOperation.TemplateParamSetNotMatchApprovedTemplate": params,
  "InvalidParameterValue.TemplateParameterFormatError": params,
  "InvalidParameterValue.TemplateParameterLengthLimit": tooLong,
  "InvalidParameterValue.IncorrectPhoneNumber": phone,
  "FailedOperation.PhoneNumberInBlacklist": phone,
  "LimitExceeded.PhoneNumberThirtySecondLimit": frequent,
  "LimitExceeded.PhoneNumberOneHourLimit": frequent,
  "LimitExceeded.PhoneNumberDailyLimit": frequent,
  "LimitExceeded.PhoneNumberSameContentDailyLimit": frequent,
  "LimitExceeded.DeliveryFrequencyLimit": frequent,
  "LimitExceeded.DailyLimit": quota,
  "LimitExceeded.AppCountryOrRegionDailyLimit": quota,
  "FailedOperation.InsufficientBalanceInSmsPackage": arrears,
  "UnauthorizedOperation.ServiceSuspendDueToArrears": arrears,
  "FailedOperation.ContainSensitiveWord": words,
  "InvalidParameterValue.SdkAppIdNotExist": application,
  "UnauthorizedOperation.SmsSdkAppIdVerifyFail": application,
  "UnauthorizedOperation.SdkAppIdIsDisabled": application,
  "UnauthorizedOperation.RequestIpNotInWhitelist":
    "服务器的公网 IP 不在白名单：请在腾讯云短信控制台加入",
  "AuthFailure.SecretIdNotFound": secret,
  "AuthFailure.InvalidSecretId": secret,
  "AuthFailure.SignatureFailure": secret,
  "AuthFailure.SignatureExpire": "服务器的时钟不准：请校准系统时间",
  "AuthFailure.UnauthorizedOperation": rights,
  UnauthorizedOperation: rights,
  RequestLimitExceeded: busy,
};

/** Meaning and remedy of a carrier's code, in Chinese; undefined for unknown codes. */
export function smsCodeText(code: string): string | undefined {
  return adviceOf[code];
}

/** True if the carrier account itself is at fault, so that no message is sent. */
export function isChannelTrouble(code: string): boolean {
  const advice = adviceOf[code];
  return advice !== undefined && [arrears, rights, secret, application, quota].includes(advice);
}
