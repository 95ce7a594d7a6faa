package dev.kubeinformer.sample;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.sample.page.LiveFeed;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Takes note of every event of a pod, whatever it is. It can be made slow, to show that
 * this holds up nobody else: it shares the cache of {@link PodHandler}, but no queue.
 */
@InformerHandler
class AuditHandler {

	private final LiveFeed page;

	private volatile Duration pause = Duration.ZERO;

	AuditHandler(LiveFeed page) {
		this.page = page;
	}

	@OnAdd
	@OnUpdate
	@OnDelete
	void note(ResourceEvent<V1Pod> event) throws InterruptedException {
		Thread.sleep(this.pause.toMillis());
		this.page.show("auditHandler", event.type(), event.object(), event.resync() ? "noted again" : "noted");
	}

	void slowDown(Duration pause) {
		this.pause = pause;
	}

}
