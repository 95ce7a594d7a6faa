package dev.kubeinformer.benchmark.large;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ListReason;

/**
 * Measures the metadata of many pods in one cache, and the additional live memory while
 * the same pods are listed again, unchanged and with 5 % changed. The server creates them
 * while sending, in a separate process. Arguments: the number of pods (1000000), {@code
 * uniform} or {@code diverse}, and the size of a page (the engine's default). On a busy
 * machine, large pages reduce the time that client and server wait for each other.
 */
public final class MillionPods {

	private final BlockingQueue<Duration> lists = new LinkedBlockingQueue<>();

	private final int pageSize;

	private MillionPods(int pageSize) {
		this.pageSize = pageSize;
	}

	/**
	 * Runs the measurement.
	 * @param args see above
	 * @throws Exception if something fails
	 */
	public static void main(String... args) throws Exception {
		String pods = (args.length > 0) ? args[0] : "1000000";
		String kind = (args.length > 1) ? args[1] : "diverse";
		Process server = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				PodMetadataApi.class.getName(), pods, kind)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = server.inputReader(); OutputStream commands = server.getOutputStream()) {
			ApiClient client = new ApiClient();
			client.setBasePath("http://localhost:" + output.readLine());
			new MillionPods((args.length > 2) ? Integer.parseInt(args[2]) : 0).measure(client, commands);
		}
		finally {
			server.destroy();
			server.onExit().join();
		}
	}

	private void measure(ApiClient client, OutputStream commands) throws IOException, InterruptedException {
		InformerSpec<Metadata<V1Pod>> spec = InformerSpec.metadata(V1Pod.class).withPageSize(this.pageSize);
		try (MeasuredCache<Metadata<V1Pod>> cache = new MeasuredCache<>(client, spec, true)) {
			cache.informers().addListener(new InformerListener() {

				@Override
				public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
					MillionPods.this.lists.add(duration);
				}

			});
			System.out.println("RESULT " + cache.fill());
			this.lists.clear();
			for (int percent : new int[] { 0, 5 }) {
				relist(cache, commands, percent);
			}
			System.out.printf("peak memory of the process: %d MB of -Xmx%d MB%n", OwnProcess.peakMemory() / 1_000_000,
					Runtime.getRuntime().maxMemory() / (1 << 20));
		}
	}

	private void relist(MeasuredCache<?> cache, OutputStream commands, int percent)
			throws IOException, InterruptedException {
		long before = cache.events();
		long start = OwnProcess.live();
		AtomicBoolean over = new AtomicBoolean();
		AtomicLong most = new AtomicLong();
		AtomicInteger looks = new AtomicInteger();
		Thread watcher = new Thread(() -> {
			while (!over.get()) {
				long begin = System.nanoTime();
				most.accumulateAndGet(OwnProcess.liveNow(), Math::max);
				looks.incrementAndGet();
				// Wait for as long again, to give the measured threads their time.
				LockSupport.parkNanos(System.nanoTime() - begin);
			}
		});
		commands.write("expire %d%n".formatted(percent).getBytes(StandardCharsets.US_ASCII));
		commands.flush();
		watcher.start();
		Duration duration = this.lists.poll(15, TimeUnit.MINUTES);
		over.set(true);
		watcher.join();
		if (duration == null) {
			throw new IllegalStateException("No relist: " + cache.informer().status());
		}
		long afterwards = OwnProcess.live() - start;
		System.out.printf(Locale.ROOT,
				"relist with %d %% changed: %.1f s, at the most %.1f %% of the cache more alive (%d looks), afterwards %.1f %%, %d events%n",
				percent, duration.toMillis() / 1e3, 100.0 * (most.get() - start) / cache.retained(), looks.get(),
				100.0 * afterwards / cache.retained(), cache.events() - before);
	}

}
