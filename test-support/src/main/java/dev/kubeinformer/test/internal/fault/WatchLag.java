package dev.kubeinformer.test.internal.fault;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.ApiRequest;

/**
 * Lag of one watch, which may change while the watch is open. Before the watch is opened
 * and after it is closed, there is no lag.
 */
public final class WatchLag {

	private final WatchDelays lags;

	private final ApiRequest request;

	private volatile WatchDelays.@Nullable Rule rule;

	private @Nullable Runnable atChange;

	WatchLag(WatchDelays lags, ApiRequest request) {
		this.lags = lags;
		this.request = request;
	}

	// Delay between a change and its event in nanoseconds; 0 for none.
	public long nanos() {
		WatchDelays.Rule current = this.rule;
		return (current != null) ? current.nanos() : 0;
	}

	/**
	 * Called when the watch is opened. From then on, the lags that match the watch apply
	 * to it.
	 * @param action the action that is run at each change of the lag; it must be quick
	 */
	public void open(Runnable action) {
		this.atChange = action;
		this.lags.open(this);
	}

	public void close() {
		this.lags.close(this);
	}

	ApiRequest request() {
		return this.request;
	}

	// Called with the lock of the lags held.
	void follow(WatchDelays.@Nullable Rule next) {
		if (next == this.rule) {
			return;
		}
		if (next != null) {
			next.hit();
		}
		this.rule = next;
		if (this.atChange != null) {
			this.atChange.run();
		}
	}

}
