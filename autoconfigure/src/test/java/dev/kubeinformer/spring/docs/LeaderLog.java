package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import dev.kubeinformer.spring.leader.LeadershipGrantedEvent;
import dev.kubeinformer.spring.leader.LeadershipRevokedEvent;

/**
 * A listener to terms, as on the page.
 */
@Component
class LeaderLog {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	@EventListener
	void granted(LeadershipGrantedEvent event) {
		this.lines.add("granted");
	}

	@EventListener
	void revoked(LeadershipRevokedEvent event) {
		this.lines.add("revoked: " + event.getReason());
	}

	List<String> lines() {
		return this.lines;
	}

}
