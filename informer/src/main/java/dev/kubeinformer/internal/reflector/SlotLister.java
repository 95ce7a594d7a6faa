package dev.kubeinformer.internal.reflector;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;

/**
 * Lists the objects in gained shard slots, on its own connection and by the same rules as
 * any other list. Used by one thread at a time, except {@link #cancel()} and
 * {@link #close()}.
 *
 * @param <T> the model class
 */
final class SlotLister<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger("dev.kubeinformer.informer.Informer");

	private final ApiConnection<T> connection;

	private final Outages outages;

	private final ReflectorTimings timings;

	private final ListDecisions lists;

	private final SyncSlots syncSlots;

	private final LongSupplier nanoTime;

	private final Supplier<RandomGenerator> random;

	/** Source of the list in progress; {@code null} between lists. */
	private volatile @Nullable OutageSource<T> source;

	private volatile boolean closed;

	SlotLister(ApiConnection<T> connection, Reflector.Options options, SyncSlots syncSlots, Outages outages) {
		this.connection = connection;
		this.outages = outages;
		this.timings = options.timings();
		this.lists = new ListDecisions(options.timings(), ListMode.PAGED, options.pageSize());
		this.syncSlots = syncSlots;
		this.nanoTime = options.nanoTime();
		this.random = options.random();
	}

	/**
	 * Reads a list, and repeats it until it succeeds.
	 * @param list the list
	 * @param useless returns whether the list is not needed any more
	 */
	void read(GainedList<T> list, BooleanSupplier useless) {
		// Join the other sources only during the list, because an idle source would count
		// in an outage.
		OutageSource<T> joined = this.outages.source(this.connection);
		this.source = joined;
		if (this.closed) {
			joined.close();
		}
		try {
			read(joined, list, useless);
		}
		finally {
			this.source = null;
			joined.leave();
		}
	}

	private void read(OutageSource<T> joined, GainedList<T> list, BooleanSupplier useless) {
		RequestReports reports = new RequestReports(list, this.nanoTime, useless);
		FullStateReader<T> reader = new FullStateReader<>(joined, list, this.lists, reports,
				this.timings.syncDeadline(), this.nanoTime, useless);
		ReflectorState state = ReflectorState.initial("").listingBecause(ListReason.SLOTS).needingCurrent();
		try {
			while (list.listing() == null && !useless.getAsBoolean()) {
				Decision decision = attempt(reader, state, useless);
				joined.idle();
				state = decision.state();
				if (state.encoding().avoidsProtobuf()) {
					joined.avoidProtobuf();
					state = state.with(state.encoding().protobufAvoided());
				}
				if (joined.await(decision.pause().draw(this.timings, this.random.get()))) {
					state = state.with(state.failures().forgiven());
				}
			}
		}
		catch (InterruptedException ex) {
			// The list is not needed any more; the caller checks this.
			logger.debug("A list of slots was interrupted");
		}
	}

	private Decision attempt(FullStateReader<T> reader, ReflectorState state, BooleanSupplier useless)
			throws InterruptedException {
		SyncSlots.Slot slot = this.syncSlots.acquire(useless);
		try {
			return reader.readPages(state, slot);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Unexpected {} in '{}'; it will list again", ex.getClass().getName(),
					Thread.currentThread().getName(), ex);
			return ListDecisions.unexpected(state);
		}
		finally {
			slot.release();
		}
	}

	/** Cancels the current request, because its list is not needed any more. */
	void cancel() {
		this.connection.endWatch();
	}

	/** Cancels the current request, and rejects further ones. */
	void close() {
		this.closed = true;
		OutageSource<T> joined = this.source;
		if (joined != null) {
			joined.close();
		}
		this.connection.close();
	}

}
