package dev.kubeinformer.spring.test.docs.replicas;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

/**
 * What the handler of the page has sent.
 */
@Component
class Notices {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	void send(String notice) {
		this.sent.add(notice);
	}

	List<String> sent() {
		return this.sent;
	}

}
