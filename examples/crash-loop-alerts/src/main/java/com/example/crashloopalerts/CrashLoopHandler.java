package com.example.crashloopalerts;

import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Sends an alert for each crash loop that begins. An annotation of the pod says which
 * loops were reported, so that a restart of this application repeats none. The annotation
 * goes when the container has run for long enough. If the webhook or the API server
 * fails, the exception leads to further attempts, and the resync to later ones.
 */
@InformerHandler(resync = "5m", concurrency = "4")
class CrashLoopHandler {

	private static final Logger logger = LoggerFactory.getLogger(CrashLoopHandler.class);

	private final Informer<V1Pod> pods;

	private final Webhook webhook;

	private final ApiClient client;

	private final Clock clock;

	/**
	 * Containers whose crash loop was reported, while the cache does not show the
	 * annotation.
	 */
	private final Set<String> unremembered = ConcurrentHashMap.newKeySet();

	CrashLoopHandler(Informer<V1Pod> pods, Webhook webhook, ApiClient client, Clock clock) {
		this.pods = pods;
		this.webhook = webhook;
		this.client = client;
		this.clock = clock;
	}

	@OnAdd
	@OnUpdate
	void check(V1Pod event) throws ApiException, InterruptedException {
		V1ObjectMeta metadata = event.getMetadata();
		// The event may be older than the annotation that its predecessor led to.
		V1Pod pod = this.pods.snapshot().get(metadata.getNamespace(), metadata.getName());
		if (pod == null) {
			return;
		}
		for (String container : CrashLoop.recoveredContainersOf(pod, OffsetDateTime.now(this.clock))) {
			if (CrashLoop.isReported(pod, container)) {
				annotate(pod, container, null);
			}
			this.unremembered.remove(key(pod, container));
		}
		for (CrashLoop loop : CrashLoop.newLoopsOf(pod)) {
			report(pod, loop);
		}
	}

	@OnDelete
	void forget(V1Pod pod) {
		this.unremembered.removeIf((key) -> key.startsWith(key(pod, "")));
	}

	private void report(V1Pod pod, CrashLoop loop) throws ApiException, InterruptedException {
		String key = key(pod, loop.container());
		if (!this.unremembered.contains(key)) {
			this.webhook.send(loop);
			this.unremembered.add(key);
			logger.info("Reported {}/{} container {}", loop.namespace(), loop.pod(), loop.container());
		}
		if (annotate(pod, loop.container(), loop.restarts())) {
			this.unremembered.remove(key);
		}
	}

	/**
	 * Writes the annotation, or removes it if the value is {@code null}, and returns
	 * whether the cache shows the change to the next event.
	 */
	private boolean annotate(V1Pod pod, String container, Integer restarts) throws ApiException, InterruptedException {
		V1ObjectMeta metadata = pod.getMetadata();
		String patch = """
				{"metadata": {"uid": "%s", "annotations": {"%s": %s}}}""".formatted(metadata.getUid(),
				CrashLoop.annotation(container), (restarts != null) ? "\"" + restarts + "\"" : null);
		V1Pod written = PatchUtils.patch(V1Pod.class,
				() -> new CoreV1Api(this.client)
					.patchNamespacedPod(metadata.getName(), metadata.getNamespace(), new V1Patch(patch))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.client);
		return this.pods.await(written, Duration.ofSeconds(10));
	}

	private static String key(V1Pod pod, String container) {
		return pod.getMetadata().getUid() + "/" + container;
	}

}
