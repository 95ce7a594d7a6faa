package dev.kubeinformer.sample;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.sample.page.LiveFeed;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Handler that records every event of a pod. An experiment can make it slow, or make it
 * throw exceptions. Other handlers are not affected: this handler shares the cache of
 * {@link PodHandler}, but has its own queue.
 */
@InformerHandler
class AuditHandler {

	private final LiveFeed page;

	private final int attempts;

	private volatile @Nullable Failing failing;

	private volatile Duration pause = Duration.ZERO;

	AuditHandler(LiveFeed page,
			@Value("${kubernetes.informers.handlers.auditHandler.retry.max-retries}") int maxRetries) {
		this.page = page;
		this.attempts = 1 + maxRetries;
	}

	@OnAdd
	@OnUpdate
	@OnDelete
	void note(ResourceEvent<V1Pod> event) throws InterruptedException {
		Thread.sleep(this.pause.toMillis());
		V1ObjectMeta metadata = event.object().getMetadata();
		failMaybe(event, metadata.getNamespace() + "/" + metadata.getName());
		String again = (event.attempt() > 1) ? ", attempt %d of %d".formatted(event.attempt(), this.attempts) : "";
		this.page.show("auditHandler", event, (event.resync() ? "noted again" : "noted") + again);
	}

	private void failMaybe(ResourceEvent<V1Pod> event, String key) {
		Failing now = this.failing;
		if (now == null || !now.key().equals(key)) {
			return;
		}
		boolean last = event.attempt() >= this.attempts;
		this.failing = (last || now.times() == 1) ? null : new Failing(key, now.times() - 1);
		this.page.show("auditHandler", last ? "GAVE_UP" : "ERROR", key,
				"attempt %d of %d: IllegalStateException".formatted(event.attempt(), this.attempts));
		throw new IllegalStateException("Requested on the page");
	}

	void slowDown(Duration pause) {
		this.pause = pause;
	}

	/**
	 * Makes the next attempts for an object fail.
	 * @param key the key of the object
	 * @param times the number of attempts
	 */
	void fail(String key, int times) {
		this.failing = new Failing(key, times);
	}

	/**
	 * Object whose attempts fail.
	 *
	 * @param key the key of the object
	 * @param times the number of remaining failures
	 */
	private record Failing(String key, int times) {

	}

}
