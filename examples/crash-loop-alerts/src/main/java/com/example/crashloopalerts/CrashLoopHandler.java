package com.example.crashloopalerts;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.PatchUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Sends an alert for each crash loop that begins. An annotation of the pod says which
 * loops were reported, so that a restart of this application repeats none. If the webhook
 * fails, the exception leads to further attempts, and the resync to later ones.
 */
@InformerHandler(resync = "5m", concurrency = "4")
class CrashLoopHandler {

	private static final Logger logger = LoggerFactory.getLogger(CrashLoopHandler.class);

	private final Informer<V1Pod> pods;

	private final Webhook webhook;

	private final ApiClient client;

	CrashLoopHandler(Informer<V1Pod> pods, Webhook webhook, ApiClient client) {
		this.pods = pods;
		this.webhook = webhook;
		this.client = client;
	}

	@OnAdd
	@OnUpdate
	void check(V1Pod event) throws ApiException, InterruptedException {
		V1ObjectMeta metadata = event.getMetadata();
		// The event may be older than the annotation that its predecessor led to.
		V1Pod pod = this.pods.snapshot().get(metadata.getNamespace(), metadata.getName());
		List<CrashLoop> loops = (pod != null) ? CrashLoop.newLoopsOf(pod) : List.of();
		for (CrashLoop loop : loops) {
			this.webhook.send(loop);
			logger.info("Reported {}/{} container {}", loop.namespace(), loop.pod(), loop.container());
			remember(pod, loop);
		}
	}

	/**
	 * Writes the annotation, and waits until the cache shows it to the next event.
	 */
	private void remember(V1Pod pod, CrashLoop loop) throws ApiException, InterruptedException {
		V1ObjectMeta metadata = pod.getMetadata();
		String patch = """
				{"metadata": {"uid": "%s", "annotations": {"%s": "%d"}}}""".formatted(metadata.getUid(),
				loop.annotation(), loop.restarts());
		V1Pod written = PatchUtils.patch(V1Pod.class,
				() -> new CoreV1Api(this.client)
					.patchNamespacedPod(metadata.getName(), metadata.getNamespace(), new V1Patch(patch))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.client);
		this.pods.await(written, Duration.ofSeconds(10));
	}

}
