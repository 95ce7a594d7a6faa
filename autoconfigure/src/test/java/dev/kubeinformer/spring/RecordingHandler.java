package dev.kubeinformer.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.ResourceEvent;

/** Base class of handlers that record each event as a word and a name. */
public abstract class RecordingHandler {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	protected void record(String call) {
		this.calls.add(call);
	}

	protected void record(String word, KubernetesObject object) {
		record(word + " " + object.getMetadata().getName());
	}

	protected void record(ResourceEvent<?> event) {
		record(event.type().name(), event.object());
	}

	public List<String> calls() {
		return List.copyOf(this.calls);
	}

}
