// Objects of the Kubernetes API; kubectl refuses fields that they do not have.
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { ConfigMap, Namespace, Service } from "kubernetes-types/core/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";

export type Value = (Deployment | ConfigMap | Namespace | Service | PodDisruptionBudget)[];
