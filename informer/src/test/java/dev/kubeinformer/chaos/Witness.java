package dev.kubeinformer.chaos;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * A handler that builds its own model from its events alone, and notes each event that
 * does not fit.
 *
 * @param <T> the model class
 */
final class Witness<T extends KubernetesObject> implements EventHandler<T> {

	private final String id;

	private final Temper temper;

	private final ConcurrentMap<String, ObjectTrack> tracks = new ConcurrentHashMap<>();

	private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

	private final AtomicLong events = new AtomicLong();

	Witness(String id, Temper temper) {
		this.id = id;
		this.temper = temper;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		this.events.incrementAndGet();
		ObjectTrack track = track(event);
		for (String each : track.begin(event)) {
			this.wrong.add("Handler '%s' got an event that does not fit: %s\n%s".formatted(this.id, each,
					history(Version.key(event.object()))));
		}
		try {
			this.temper.act();
		}
		catch (Exception ex) {
			track.failed(event);
			throw ex;
		}
		track.delivered(event);
	}

	/**
	 * Takes an event that is given up for delivered, as its failures are reported.
	 */
	void exhausted(ResourceEvent<?> event, Throwable cause) {
		track(event).delivered(event);
	}

	private ObjectTrack track(ResourceEvent<?> event) {
		return this.tracks.computeIfAbsent(Version.key(event.object()), (key) -> new ObjectTrack());
	}

	/**
	 * The objects there are, by what was delivered.
	 * @return their versions by key
	 */
	Map<String, Version> model() {
		Map<String, Version> model = new TreeMap<>();
		this.tracks.forEach((key, track) -> {
			Version present = track.present();
			if (present != null) {
				model.put(key, present);
			}
		});
		return model;
	}

	String history(String key) {
		ObjectTrack track = this.tracks.get(key);
		return "Handler '%s', the last events of '%s':\n%s".formatted(this.id, key,
				(track != null) ? track.history() : "(none)");
	}

	/**
	 * Events that did not fit.
	 * @return what was wrong with them, in order
	 */
	Queue<String> wrong() {
		return this.wrong;
	}

	long events() {
		return this.events.get();
	}

}
