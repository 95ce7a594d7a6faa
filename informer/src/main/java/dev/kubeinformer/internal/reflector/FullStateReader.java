package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.slots.SlotList;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.ListPages;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;

/**
 * Reads full states (all objects of a collection), in pages or from a stream, into the
 * sink. Called by the reflector's thread.
 *
 * @param <T> the model class
 */
final class FullStateReader<T extends KubernetesObject> {

	private final ApiConnection<T> connection;

	private final ReflectorSink<T> sink;

	private final ListDecisions decisions;

	private final RequestReports reports;

	private final Duration syncDeadline;

	private final LongSupplier nanoTime;

	private final BooleanSupplier stopped;

	/**
	 * Shard slots that the list in progress covers; {@code null} if the objects are not
	 * divided into shard slots.
	 */
	private @Nullable SlotList slots;

	FullStateReader(ApiConnection<T> connection, ReflectorSink<T> sink, ListDecisions decisions, RequestReports reports,
			Duration syncDeadline, LongSupplier nanoTime, BooleanSupplier stopped) {
		this.connection = connection;
		this.sink = sink;
		this.decisions = decisions;
		this.reports = reports;
		this.syncDeadline = syncDeadline;
		this.nanoTime = nanoTime;
		this.stopped = stopped;
	}

	/**
	 * Sets the shard slots that the next lists cover.
	 * @param requested the slots
	 */
	void slots(SlotList requested) {
		this.slots = requested;
	}

	/**
	 * Reads a stream up to the marker that ends its list.
	 * @param state the state
	 * @param stream the open stream
	 * @param request the request for the stream
	 * @param slot the permission to read a full state, which only a few reflectors have
	 * at the same time
	 * @return the decision; after a complete list, it is to watch on the same stream at
	 * once
	 */
	Decision readStream(ReflectorState state, WatchStream<T> stream, WatchRequest request, SyncSlots.Slot slot) {
		boolean compareContent = comparesContent(state);
		KnownObjects known = this.sink.begin(compareContent);
		InitialEvents<T> initial = new InitialEvents<>(this.syncDeadline, known, this.nanoTime.getAsLong());
		@Nullable Failure failure = null;
		try {
			stream.deadline(initial.deadline());
			for (WatchFrame<T> frame = stream.next(known); frame != null; frame = stream.next(known)) {
				if (frame.initialEventsEnd()) {
					stream.clearDeadline();
					CompleteList list = this.decisions.streamed(state, request, frame.resourceVersion(),
							this.nanoTime.getAsLong());
					return store(state, list, initial.takeObjects(), frame.resourceVersion(), null);
				}
				if (frame.status() != null) {
					failure = Failure.of(frame.status());
					break;
				}
				take(frame, initial, compareContent);
				stream.deadline(initial.deadline());
			}
		}
		catch (IOException ex) {
			long now = this.nanoTime.getAsLong();
			if (now - initial.deadline() >= 0 && !this.stopped.getAsBoolean()) {
				this.reports.streamOverdue();
				return this.decisions.streamOverdue(state, now);
			}
			failure = Failure.of(ex);
		}
		Decision decision = this.decisions.streamInterrupted(state, failure, this.nanoTime.getAsLong());
		if (failure != null) {
			initial.clear();
			slot.release();
			this.reports.streamFailed(failure, decision);
		}
		return decision;
	}

	private void take(WatchFrame<T> frame, InitialEvents<T> initial, boolean compareContent) {
		DecodedObject<T> object = frame.object();
		long now = this.nanoTime.getAsLong();
		if (frame.isUnchanged()) {
			initial.unchanged(now);
		}
		else if (object != null && object.isForeign()) {
			this.sink.foreign();
			initial.foreign(frame.type(), object.metadata(), now);
		}
		else {
			initial.add(frame.type(), (object != null) ? this.sink.listed(object, compareContent) : null, now);
		}
	}

	/**
	 * Reads a list in pages.
	 * @param state the state
	 * @param slot the permission to read a full state, which only a few reflectors have
	 * at the same time
	 * @return the decision
	 */
	Decision readPages(ReflectorState state, SyncSlots.Slot slot) {
		this.reports.requestSent();
		ListRequest first = this.decisions.listRequest(state);
		PagedItems<T> items = new PagedItems<>(this.sink, comparesContent(state));
		ListRequest request = first;
		@Nullable ListHeader firstHeader = null;
		ListPages pages = new ListPages();
		while (true) {
			int before = items.received();
			long pageAt = this.nanoTime.getAsLong();
			try {
				ListHeader header = this.connection.list(request, items);
				firstHeader = (firstHeader != null) ? firstHeader : header;
				if (header.continueToken().isEmpty()) {
					CompleteList list = this.decisions.listed(state, first, firstHeader, request != first,
							this.nanoTime.getAsLong());
					return store(state, list, items.objects(), firstHeader.resourceVersion(),
							firstHeader.shardSelector());
				}
				Decision whole = this.decisions.insteadOfPages(state, request, header);
				if (whole != null) {
					items.objects().clear();
					return whole;
				}
				request = new ListRequest("", first.limit(), pages.turn(header, items.turn()));
			}
			catch (IOException ex) {
				long now = this.nanoTime.getAsLong();
				FailedPage page = new FailedPage(request, Failure.of(ex), items.received() > before,
						Duration.ofNanos(now - pageAt));
				Decision decision = this.decisions.listFailed(state, page, now);
				items.objects().clear();
				slot.release();
				this.reports.failed("list", page.failure(), decision);
				return decision;
			}
		}
	}

	private static boolean comparesContent(ReflectorState state) {
		// An older list is accepted only if it was requested without a version.
		return state.nextList().fresh() || state.nextList().current() || !state.versions().isResumable();
	}

	private Decision store(ReflectorState state, CompleteList list, List<DecodedObject<T>> objects, String version,
			@Nullable String shardSelector) {
		Decision decision = list.decision();
		if (list.regression()) {
			this.sink.regressed(version, state.versions().newest());
		}
		if (list.isStored()) {
			boolean changed = this.sink.replace(objects,
					new Listing(decision.state().versions().last(), list.compareContent(), state.nextList().reason(),
							this.reports.sinceRequest(), shardSelector, this.slots));
			return this.decisions.compared(state, decision, changed);
		}
		return decision;
	}

}
