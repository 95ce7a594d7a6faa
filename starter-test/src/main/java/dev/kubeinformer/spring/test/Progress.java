package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.InformerState;

/**
 * Finds out what an informer and its handlers still have to do after a test.
 *
 * @param informer the informer
 * @param revision the resourceVersion of the last change, which the informer must have
 * received
 */
record Progress(Informer<?> informer, String revision) {

	boolean isLeft() {
		return left().findAny().isPresent();
	}

	/**
	 * Returns the unfinished work.
	 * @return sentences for the message of the exception; empty if the informer and its
	 * handlers are idle
	 */
	Stream<String> left() {
		InformerStatus status = this.informer.status();
		if (status.state() == InformerState.NEW || status.state() == InformerState.STOPPED) {
			return Stream.empty();
		}
		if (!hasSeen(status)) {
			return Stream
				.of("informer '%s' is %s at resourceVersion '%s' and has not seen '%s'%s".formatted(this.informer.id(),
						status.state(), status.cache().resourceVersion(), this.revision, error(status)));
		}
		if (status.state() == InformerState.SYNCING) {
			return Stream.of("informer '%s' has no watch yet at resourceVersion '%s'%s".formatted(this.informer.id(),
					status.cache().resourceVersion(), error(status)));
		}
		return leftToHandlers();
	}

	private Stream<String> leftToHandlers() {
		return this.informer.handlers().stream().flatMap(this::leftTo);
	}

	/**
	 * Restarts the informer if it has not received the change with the resourceVersion,
	 * or does not watch later changes yet. An informer with a busy handler is not
	 * restarted, because stopping it would wait for the handler.
	 */
	void restartIfBehind() {
		InformerStatus status = this.informer.status();
		boolean behind = !hasSeen(status) || status.state() == InformerState.SYNCING;
		if (behind && leftToHandlers().findAny().isEmpty()) {
			this.informer.stop();
			this.informer.run();
		}
	}

	/**
	 * Returns whether the informer has received all changes up to the resourceVersion. If
	 * so, each event of these changes is processed, or is in the queue of a handler.
	 * @param status the informer's status
	 * @return {@code true} if the informer has received them
	 */
	private boolean hasSeen(InformerStatus status) {
		if (status.state() == InformerState.NOT_FOUND && status.cache().size() == 0) {
			// The resource is not served, so there was nothing to delete.
			return true;
		}
		try {
			return this.informer.awaitResourceVersion(this.revision, Duration.ZERO);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static String error(InformerStatus status) {
		return (status.lastError() != null) ? " (last error: " + status.lastError().message() + ")" : "";
	}

	private Stream<String> leftTo(HandlerRegistration handler) {
		HandlerStatus status = handler.status();
		HandlerStatus.Handling handling = status.handling();
		if (status.queue().size() == 0 && handling == null) {
			return Stream.empty();
		}
		List<String> reasons = new ArrayList<>();
		reasons.add("has %d events waiting".formatted(status.queue().size()));
		if (handling != null) {
			reasons.add("is busy with '%s' since %s".formatted(handling.key(), handling.since()));
		}
		if (status.queue().waitingForRetry() > 0) {
			reasons.add("waits for the retry of %d of them".formatted(status.queue().waitingForRetry()));
		}
		if (status.paused()) {
			reasons.add("is paused");
		}
		return Stream.of("handler '%s' of informer '%s' %s".formatted(handler.id(), this.informer.id(),
				String.join(", ", reasons)));
	}

}
