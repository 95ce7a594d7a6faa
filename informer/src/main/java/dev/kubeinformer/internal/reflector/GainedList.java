package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.WatchEndReason;

/**
 * List of the objects in shard slots that this process has gained. It is read while the
 * objects in the other slots are watched. Keeps the objects until the reflector stores
 * them, and reports failures to the reflector's sink.
 *
 * @param <T> the model class
 */
final class GainedList<T> implements ReflectorSink<T> {

	private final ReflectorSink<T> sink;

	private final HeldSlots slots;

	private final String newestBefore;

	private List<DecodedObject<T>> objects = new ArrayList<>();

	private @Nullable Listing listing;

	private long foreign;

	/**
	 * Begins a list.
	 * @param sink the sink that receives failures
	 * @param slots the requested slots
	 * @param newestBefore the newest version that was seen before
	 */
	GainedList(ReflectorSink<T> sink, HeldSlots slots, String newestBefore) {
		this.sink = sink;
		this.slots = slots;
		this.newestBefore = newestBefore;
	}

	HeldSlots slots() {
		return this.slots;
	}

	String newestBefore() {
		return this.newestBefore;
	}

	/**
	 * Returns the facts about the complete list.
	 * @return the facts; {@code null} while the list is read
	 */
	@Nullable Listing listing() {
		return this.listing;
	}

	List<DecodedObject<T>> objects() {
		return this.objects;
	}

	long foreignObjects() {
		return this.foreign;
	}

	@Override
	public @Nullable KnownObjects begin(boolean compareContent) {
		this.foreign = 0;
		return null;
	}

	@Override
	public DecodedObject<T> listed(DecodedObject<T> object, boolean compareContent) {
		return object;
	}

	@Override
	public void foreign() {
		this.foreign++;
	}

	@Override
	public boolean replace(List<DecodedObject<T>> listed, Listing facts) {
		this.objects = listed;
		this.listing = facts;
		return true;
	}

	@Override
	public void failed(String verb, Failure failure, @Nullable String next, Duration duration) {
		this.sink.failed(verb, failure, next, duration);
	}

	// Listeners are notified when the reflector has stored the list. The other methods
	// are about watches.

	@Override
	public void notifyListeners() {
	}

	@Override
	public void regressed(String resourceVersion, String newestSeen) {
	}

	@Override
	public void apply(WatchFrame<T> frame, String resourceVersion) {
	}

	@Override
	public void advance(String resourceVersion) {
	}

	@Override
	public void alive() {
	}

	@Override
	public void condition(InformerState condition) {
	}

	@Override
	public void watchStarted() {
	}

	@Override
	public void watchEnded(WatchEndReason cause, Duration lived) {
	}

	@Override
	public void fellBack(@Nullable Integer httpStatus) {
	}

}
