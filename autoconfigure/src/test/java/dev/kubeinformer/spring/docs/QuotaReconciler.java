package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * A reconciler in all clusters that have a name, as on the page.
 */
@Reconciler(cluster = "*")
class QuotaReconciler {

	@Reconcile
	void reconcile(V1Namespace namespace, Owned<V1ConfigMap> quotas, Reconciliation<V1Namespace> run)
			throws ApiException {
		run.apply(new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace(namespace.getMetadata().getName()).name("quota"))
			.putDataItem("cluster", run.cluster()));
	}

}
