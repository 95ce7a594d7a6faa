package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.Config;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.InformerState;

/**
 * Measures how the informers of one application recover from an outage of their API
 * server: when the last one is live again, over how many connections, and with how many
 * requests in each second. Arguments: the kubeconfig, or {@code embedded} for the
 * embedded API over TLS; the number of informers; the seconds of the outage; and the
 * command of the server, which runs as long as the server and finds its former data.
 * Without a command, the user restarts the server when the program asks for it.
 */
public final class ManyInformers {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private static final Duration LOOK = Duration.ofMillis(20);

	private final Path kubeconfig;

	private final int count;

	private final Duration outage;

	private final @Nullable RestartedServer server;

	private final ConnectionTraffic traffic = new ConnectionTraffic(System::nanoTime);

	private ManyInformers(Path kubeconfig, int count, Duration outage, @Nullable RestartedServer server) {
		this.kubeconfig = kubeconfig;
		this.count = count;
		this.outage = outage;
		this.server = server;
	}

	/**
	 * Runs the measurement.
	 * @param args the kubeconfig or {@code embedded}, the number of informers (500), the
	 * seconds of the outage (1), and the command of the server
	 * @throws IOException if the kubeconfig cannot be read, or the server does not start
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... args) throws IOException, InterruptedException {
		if (args.length == 0) {
			throw new IllegalArgumentException(
					"Arguments: kubeconfig|embedded [informers] [seconds of the outage] [command of the server]");
		}
		int count = (args.length > 1) ? Integer.parseInt(args[1]) : 500;
		Duration outage = Duration.ofSeconds((args.length > 2) ? Integer.parseInt(args[2]) : 1);
		if (args[0].equals("embedded")) {
			Path kubeconfig = Files.createTempDirectory("informers").resolve("kubeconfig");
			try (RestartedServer server = new EmbeddedApi(kubeconfig)) {
				new ManyInformers(kubeconfig, count, outage, server).run();
			}
			return;
		}
		if (args.length <= 3) {
			new ManyInformers(Path.of(args[0]), count, outage, null).run();
			return;
		}
		try (RestartedServer server = new ServerCommand(List.of(args).subList(3, args.length))) {
			new ManyInformers(Path.of(args[0]), count, outage, server).run();
		}
	}

	private void run() throws IOException, InterruptedException {
		await("the kubeconfig", () -> Files.exists(this.kubeconfig));
		ApiClient client;
		try (var reader = Files.newBufferedReader(this.kubeconfig)) {
			client = Config.fromConfig(reader);
		}
		OkHttpClient http = client.getHttpClient()
			.newBuilder()
			.connectionPool(new ConnectionPool())
			.eventListener(this.traffic)
			.build();
		client.setHttpClient(http);
		this.traffic.begin();
		try (Informers informers = Informers.builder(client).build()) {
			List<Informer<V1ConfigMap>> all = new ArrayList<>();
			for (int i = 0; i < this.count; i++) {
				all.add(informers.informer(InformerSpec.of(V1ConfigMap.class).withLabelSelector("bench/number=" + i)));
			}
			long start = System.nanoTime();
			informers.start();
			await("the first sync", () -> allLive(all));
			report("start", start, http);
			restart(all);
			long back = System.nanoTime();
			await("all to be back", () -> allLive(all));
			report("after %d s of outage".formatted(this.outage.toSeconds()), back, http);
			long stop = System.nanoTime();
			informers.stop();
			System.out.printf("stop: %.2f s%n", seconds(stop));
		}
	}

	private void restart(List<Informer<V1ConfigMap>> all) throws IOException, InterruptedException {
		this.traffic.begin();
		RestartedServer restarted = this.server;
		if (restarted != null) {
			restarted.kill();
			Thread.sleep(this.outage.toMillis());
			restarted.start();
			return;
		}
		System.out.println("Restart the server now");
		await("an outage", () -> all.stream().noneMatch(ManyInformers::isLive));
	}

	private void report(String phase, long since, OkHttpClient http) {
		ConnectionPool pool = http.connectionPool();
		System.out.printf("%s: all %d live after %.1f s, %d TLS connections open (%d of them idle), %s%n", phase,
				this.count, seconds(since), pool.connectionCount(), pool.idleConnectionCount(), this.traffic.report());
	}

	private static double seconds(long since) {
		return (System.nanoTime() - since) / 1e9;
	}

	private static boolean allLive(List<Informer<V1ConfigMap>> all) {
		return all.stream().allMatch(ManyInformers::isLive);
	}

	private static boolean isLive(Informer<V1ConfigMap> informer) {
		return informer.status().state() == InformerState.LIVE;
	}

	private static void await(String what, BooleanSupplier condition) throws InterruptedException {
		long begin = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - begin > LIMIT.toNanos()) {
				throw new IllegalStateException("Waited for %s for %d s".formatted(what, LIMIT.toSeconds()));
			}
			Thread.sleep(LOOK.toMillis());
		}
	}

}
