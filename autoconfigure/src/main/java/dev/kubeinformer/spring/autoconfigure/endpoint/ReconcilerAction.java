package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.UnreadableObjectException;
import dev.kubeinformer.types.ObjectKey;

/**
 * Action of the endpoint on a reconciler.
 */
enum ReconcilerAction {

	/** Pauses the reconciler, which starts no further runs. */
	PAUSE(ReconcilerContainer::pause),

	/** Ends a pause. */
	RESUME(ReconcilerContainer::resume),

	/** Starts the reconciler. */
	START(ReconcilerContainer::start),

	/** Stops the reconciler. */
	STOP(ReconcilerContainer::stop),

	/** Queues all keys or a single key. */
	TRIGGER(ReconcilerContainer::triggerAll);

	private final Consumer<ReconcilerContainer> operation;

	ReconcilerAction(Consumer<ReconcilerContainer> operation) {
		this.operation = operation;
	}

	/**
	 * Performs an action on a reconciler.
	 * @param container the container of the reconciler
	 * @param name the name of the action in the request, ignoring case
	 * @param key the key of an object; {@code null} or blank for all
	 * @throws RefusedRequestException if the action or key does not exist, the reconciler is not running, or the object cannot be decoded
	 */
	static void apply(ReconcilerContainer container, @Nullable String name, @Nullable String key) {
		ReconcilerAction action = of(container, name);
		ObjectKey one = null;
		if (StringUtils.hasText(key)) {
			one = key(container, action, key.strip());
		}
		if (action != START && action != STOP && !container.isRunning()) {
			throw stopped(container, action);
		}
		try {
			if (one != null) {
				container.trigger(one);
			}
			else {
				action.operation.accept(container);
			}
		}
		catch (UnreadableObjectException ex) {
			// The message contains the name of a field, which can be any text.
			throw RefusedRequestException
				.conflict("Nothing runs: " + String.valueOf(ex.getMessage()).replace("%", "%%"));
		}
		catch (IllegalStateException ex) {
			if (container.isRunning()) {
				throw ex;
			}
			// The reconciler was stopped after the check.
			throw stopped(container, action);
		}
	}

	private static ReconcilerAction of(ReconcilerContainer container, @Nullable String name) {
		if (!StringUtils.hasText(name)) {
			throw RefusedRequestException.invalid("There is no 'action' in the request; the actions are %s", names());
		}
		String wanted = name.strip().toUpperCase(Locale.ROOT);
		if (wanted.equals(HandlerAction.RESYNC.name())) {
			throw RefusedRequestException.invalid(
					"'%s' is a reconciler; RESYNC is for handlers; use TRIGGER, for all of its keys or the one given as 'key'",
					container.id());
		}
		if (LeaderOperations.isYield(wanted)) {
			throw RefusedRequestException.invalid(
					"YIELD is for '%s', which lets another replica lead; the actions of a reconciler are %s",
					LeaderOperations.ID, names());
		}
		return Stream.of(values())
			.filter((action) -> action.name().equals(wanted))
			.findFirst()
			.orElseThrow(() -> RefusedRequestException.invalid("The action '%s' is unknown; the actions are %s", name,
					names()));
	}

	private static List<ReconcilerAction> names() {
		return List.of(values());
	}

	private static ObjectKey key(ReconcilerContainer container, ReconcilerAction action, String text) {
		if (action != TRIGGER) {
			throw RefusedRequestException.invalid("%s takes no 'key', but '%s' was given; only TRIGGER takes one",
					action, text);
		}
		boolean namespaced = container.spec().type().namespaced();
		String[] parts = text.split("/", -1);
		boolean valid = parts.length == (namespaced ? 2 : 1) && Stream.of(parts).allMatch(StringUtils::hasText);
		if (!valid) {
			throw RefusedRequestException.invalid("'%s' is not a key of '%s', which are %s; use '%s'", text,
					container.spec().type().name(), namespaced ? "namespaced" : "cluster-scoped",
					namespaced ? "namespace/name" : "name");
		}
		return namespaced ? new ObjectKey(parts[0], parts[1]) : new ObjectKey("", parts[0]);
	}

	private static RefusedRequestException stopped(ReconcilerContainer container, ReconcilerAction action) {
		return RefusedRequestException.conflict("Reconciler '%s' is stopped, so there is nothing to %s; START it first",
				container.id(), action.name().toLowerCase(Locale.ROOT));
	}

}
