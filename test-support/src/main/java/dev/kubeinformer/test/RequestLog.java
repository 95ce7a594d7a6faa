package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests that were answered, in the order of their answers.
 */
final class RequestLog {

	private final List<RecordedRequest> requests = new ArrayList<>();

	synchronized void add(RecordedRequest request) {
		this.requests.add(request);
	}

	synchronized List<RecordedRequest> requests() {
		return List.copyOf(this.requests);
	}

	synchronized void clear() {
		this.requests.clear();
	}

}
