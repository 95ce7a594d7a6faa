package dev.kubeinformer.spring.test.docs.replicas;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

/**
 * A handler of the leader, as on the page.
 */
@InformerHandler(leaderOnly = "true")
class NoticeHandler {

	private final Notices notices;

	NoticeHandler(Notices notices) {
		this.notices = notices;
	}

	@OnAdd
	void added(V1Pod pod) {
		this.notices.send(pod.getMetadata().getName());
	}

}
