package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.handler.InformerHandlerContainer;

/**
 * Action of the endpoint on a handler.
 */
enum HandlerAction {

	/** Pauses delivery. */
	PAUSE(InformerHandlerContainer::pause),

	/** Ends a pause. */
	RESUME(InformerHandlerContainer::resume),

	/** Delivers every cached object again. */
	RESYNC(InformerHandlerContainer::resync),

	/** Adds the handler to its informer. */
	START(InformerHandlerContainer::start),

	/** Removes the handler from its informer. */
	STOP(InformerHandlerContainer::stop);

	private final Consumer<InformerHandlerContainer> operation;

	HandlerAction(Consumer<InformerHandlerContainer> operation) {
		this.operation = operation;
	}

	/**
	 * Finds an action by its name, ignoring case.
	 * @param name the name in the request
	 * @param key the key of an object; {@code null} or blank for none
	 * @return the action
	 * @throws RefusedRequestException if the action does not exist, or a key was given
	 */
	private static HandlerAction of(@Nullable String name, @Nullable String key) {
		if (name == null || name.isBlank()) {
			throw RefusedRequestException.invalid("There is no 'action' in the request; the actions are %s", names());
		}
		String wanted = name.strip().toUpperCase(Locale.ROOT);
		if (wanted.equals(ReconcilerAction.TRIGGER.name())) {
			throw RefusedRequestException.invalid("TRIGGER is for reconcilers; the actions of a handler are %s",
					names());
		}
		if (LeaderOperations.isYield(wanted)) {
			throw RefusedRequestException.invalid(
					"YIELD is for '%s', which lets another replica lead; the actions of a handler are %s",
					LeaderOperations.ID, names());
		}
		HandlerAction found = Stream.of(values())
			.filter((action) -> action.name().equals(wanted))
			.findFirst()
			.orElseThrow(() -> RefusedRequestException.invalid("The action '%s' is unknown; the actions are %s", name,
					names()));
		if (key != null && !key.isBlank()) {
			throw RefusedRequestException
				.invalid("%s takes no 'key', but '%s' was given; it is for the TRIGGER of a reconciler", found, key);
		}
		return found;
	}

	private static List<HandlerAction> names() {
		return List.of(values());
	}

	/**
	 * Performs an action on a handler.
	 * @param container the container of the handler
	 * @param name the name of the action in the request, ignoring case
	 * @param key the key of an object; {@code null} or blank for none
	 * @throws RefusedRequestException if the action does not exist, a key was given, or the handler is not running
	 */
	static void apply(InformerHandlerContainer container, @Nullable String name, @Nullable String key) {
		HandlerAction action = of(name, key);
		if (action != START && action != STOP && !container.isRunning()) {
			throw RefusedRequestException.conflict("Handler '%s' is stopped, so there is nothing to %s; START it first",
					container.id(), action.name().toLowerCase(Locale.ROOT));
		}
		action.operation.accept(container);
	}

}
