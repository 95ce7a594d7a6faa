package dev.kubeinformer.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

import dev.kubeinformer.chaos.ChaosCluster.Kind;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.types.InformerState;

/**
 * An informer, its handlers, and what its cache has to hold at rest.
 *
 * @param <T> the model class
 */
final class Station<T extends KubernetesObject> {

	private final String name;

	private final Kind kind;

	private final Informer<T> informer;

	private final Predicate<DynamicKubernetesObject> selected;

	private final List<Observer<T>> observers = new ArrayList<>();

	/** Problems in the events of removed handlers. */
	private final List<String> wrong = new ArrayList<>();

	private long events;

	private int late;

	Station(String name, Kind kind, Informer<T> informer, Predicate<DynamicKubernetesObject> selected) {
		this.name = name;
		this.kind = kind;
		this.informer = informer;
		this.selected = selected;
	}

	/**
	 * Adds a handler.
	 * @param handler its name
	 * @param temper how it behaves
	 * @param options how events are delivered to it
	 * @return this station
	 */
	Station<T> with(String handler, Temper temper, HandlerOptions options) {
		Witness<T> witness = new Witness<>(this.name + "-" + handler, temper);
		HandlerRegistration registration = this.informer.addHandler(witness,
				options.withId(this.name + "-" + handler).withExhausted(witness::exhausted));
		this.observers.add(new Observer<>(witness, registration));
		return this;
	}

	/**
	 * Adds a handler while the informer runs.
	 * @param temper how it behaves
	 */
	void addLate(Temper temper) {
		this.late++;
		with("late-" + this.late, temper, HandlerOptions.defaults().withConcurrency(1 + this.late % 3));
	}

	/**
	 * Removes the last handler that was added late, if there is one.
	 * @return {@code true} if there was one
	 */
	boolean removeLate() {
		if (this.late == 0) {
			return false;
		}
		this.late--;
		Observer<T> last = this.observers.remove(this.observers.size() - 1);
		last.registration().close();
		this.events += last.witness().events();
		this.wrong.addAll(last.witness().wrong());
		return true;
	}

	/**
	 * Removes all handlers that came late.
	 */
	void removeAllLate() {
		while (removeLate()) {
			// the next one
		}
	}

	Kind kind() {
		return this.kind;
	}

	Informer<T> informer() {
		return this.informer;
	}

	List<HandlerRegistration> registrations() {
		return this.observers.stream().map(Observer::registration).toList();
	}

	long events() {
		return this.events + witnesses().mapToLong(Witness::events).sum();
	}

	/**
	 * Events that did not fit what their handlers knew.
	 * @return what was wrong with them
	 */
	List<String> wrong() {
		return Stream.concat(this.wrong.stream(), witnesses().flatMap((each) -> each.wrong().stream()))
			.map((each) -> "Informer '%s': %s".formatted(this.name, each))
			.toList();
	}

	private Stream<Witness<T>> witnesses() {
		return this.observers.stream().map(Observer::witness);
	}

	/**
	 * Returns the first difference between the server's list and the cache or the models
	 * of the handlers.
	 * @param server the server's list
	 * @return the first difference, or an empty text
	 */
	String difference(List<DynamicKubernetesObject> server) {
		Map<String, Version> expected = ChaosCluster.versions(server, this.selected);
		InformerState state = this.informer.state();
		if (state != InformerState.LIVE && state != InformerState.STALE) {
			return "Informer '%s' is %s".formatted(this.name, this.informer.status());
		}
		Map<String, Version> cached = new TreeMap<>();
		this.informer.lister().list().forEach((object) -> cached.put(Version.key(object), Version.of(object)));
		String key = differentKey(expected, cached);
		if (!key.isEmpty()) {
			return "Informer '%s', the Lister has '%s' as %s, the server as %s\n%s".formatted(this.name, key,
					cached.get(key), expected.get(key), this.informer.status());
		}
		return this.observers.stream()
			.map((observer) -> difference(expected, observer))
			.filter((difference) -> !difference.isEmpty())
			.findFirst()
			.orElse("");
	}

	private String difference(Map<String, Version> expected, Observer<T> observer) {
		HandlerRegistration registration = observer.registration();
		Map<String, Version> model = observer.witness().model();
		String key = differentKey(expected, model);
		if (!key.isEmpty()) {
			return "Informer '%s', the model of handler '%s' has '%s' as %s, the server as %s\n%s\n%s".formatted(
					this.name, registration.id(), key, model.get(key), expected.get(key),
					observer.witness().history(key), registration.status());
		}
		return registration.hasSynced() ? ""
				: "Handler '%s' is not synced: %s".formatted(registration.id(), registration.status());
	}

	private static String differentKey(Map<String, Version> expected, Map<String, Version> actual) {
		return Stream.of(expected, actual)
			.flatMap((each) -> each.keySet().stream())
			.sorted()
			.filter((key) -> !Objects.equals(expected.get(key), actual.get(key)))
			.findFirst()
			.orElse("");
	}

	/**
	 * Caches a namespace more, or one of them no longer.
	 * @param namespace the namespace
	 * @return what was done
	 */
	String toggle(String namespace) {
		if (this.informer.addNamespace(namespace)) {
			return "added " + namespace;
		}
		if (this.informer.namespaces().size() == 1) {
			return "kept " + namespace;
		}
		this.informer.removeNamespace(namespace);
		return "removed " + namespace;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * A handler at the informer.
	 *
	 * @param <T> the model class
	 * @param witness the handler
	 * @param registration its registration
	 */
	private record Observer<T extends KubernetesObject>(Witness<T> witness, HandlerRegistration registration) {

	}

}
