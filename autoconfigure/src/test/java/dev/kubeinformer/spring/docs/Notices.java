package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the classes of the page about replicas have sent.
 */
class Notices {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	void send(String notice) {
		this.sent.add(notice);
	}

	List<String> sent() {
		return this.sent;
	}

}
