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
 * Takes note of every event of a pod, whatever it is. It can be made slow, or made to
 * throw, to show that this holds up nobody else: it shares the cache of
 * {@link PodHandler}, but no queue.
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
		throw new IllegalStateException("As the page asked for");
	}

	void slowDown(Duration pause) {
		this.pause = pause;
	}

	/**
	 * Fails on an object.
	 * @param key the key of the object
	 * @param times how often
	 */
	void fail(String key, int times) {
		this.failing = new Failing(key, times);
	}

	/**
	 * What it fails on.
	 *
	 * @param key the key of the object
	 * @param times how many more attempts fail
	 */
	private record Failing(String key, int times) {

	}

}
