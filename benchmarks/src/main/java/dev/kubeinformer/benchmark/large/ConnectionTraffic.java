package dev.kubeinformer.benchmark.large;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Handshake;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of an HTTP client: attempts to connect, handshakes, and requests by
 * second. Safe for use by several threads.
 */
final class ConnectionTraffic extends EventListener {

	private final LongSupplier nanoTime;

	private final Map<Long, Integer> requests = new TreeMap<>();

	private long begin;

	private int attempts;

	private int handshakes;

	ConnectionTraffic(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Resets the counts. */
	synchronized void begin() {
		this.begin = this.nanoTime.getAsLong();
		this.requests.clear();
		this.attempts = 0;
		this.handshakes = 0;
	}

	@Override
	public synchronized void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
		this.attempts++;
	}

	@Override
	public synchronized void secureConnectEnd(Call call, @Nullable Handshake handshake) {
		this.handshakes++;
	}

	@Override
	public synchronized void requestHeadersStart(Call call) {
		long second = TimeUnit.NANOSECONDS.toSeconds(this.nanoTime.getAsLong() - this.begin);
		this.requests.merge(second, 1, Integer::sum);
	}

	/**
	 * Describes the counts since the last reset.
	 * @return one line
	 */
	synchronized String report() {
		String bySecond = this.requests.entrySet()
			.stream()
			.map((second) -> "%d:%d".formatted(second.getKey(), second.getValue()))
			.collect(Collectors.joining(" "));
		int all = this.requests.values().stream().mapToInt(Integer::intValue).sum();
		return "%d attempts to connect, %d handshakes, %d requests by second %s".formatted(this.attempts,
				this.handshakes, all, bySecond);
	}

}
