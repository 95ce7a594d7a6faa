package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.Config;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.Informers;
import dev.kubeinformer.benchmark.compare.client.ProcessMeter;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.ListMode;

/**
 * Measures the first list of one source of a controller in this JVM, requested in one of
 * several ways: requests, seconds and CPU time until the source is filled, the peak
 * memory of this process, and CPU time and peak memory of the API server's process if its
 * id is given.
 */
public final class SourceLists {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private static final String RESOURCE_VERSION = "resourceVersion";

	private final String way;

	private final AtomicInteger requests = new AtomicInteger();

	private SourceLists(String way) {
		this.way = way;
	}

	/**
	 * Runs the measurement.
	 * @param arguments the kubeconfig; {@code widgets} or {@code configmaps}; {@code
	 * default}, {@code pages-N} for pages of that size of the most recent state, {@code
	 * whole} for one list of it, {@code since} for one list that is not older than a
	 * version that is requested first, or {@code streaming}; and optionally the id of the
	 * API server's process, on Linux
	 * @throws IOException if the cluster cannot be read
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... arguments) throws IOException, InterruptedException {
		SourceLists lists = new SourceLists(arguments[2]);
		@Nullable Path server = (arguments.length > 3) ? Path.of("/proc", arguments[3]) : null;
		if (server != null) {
			// Reset the peak here.
			Files.writeString(server.resolve("clear_refs"), "5");
		}
		double serverBefore = (server != null) ? MeasuredProcess.cpu(server) : 0;
		System.out.println("RESULT " + lists.fill(Path.of(arguments[0]), arguments[1]));
		if (server != null) {
			TimeUnit.MILLISECONDS.sleep(500);
			System.out.printf(Locale.ROOT, "SERVER cpu=%.2f peak=%d%n", MeasuredProcess.cpu(server) - serverBefore,
					MeasuredProcess.peakMemory(server) / 1_000_000);
		}
		System.exit(0);
	}

	private String fill(Path kubeconfig, String resource) throws IOException, InterruptedException {
		ApiClient client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this::send).build());
		Informers informers = Informers.builder(client)
			.listMode(this.way.equals("streaming") ? ListMode.STREAMING : ListMode.PAGED)
			.pageSize(this.way.startsWith("pages-") ? Integer.parseInt(this.way.substring(6)) : 0)
			.build();
		return resource.equals("widgets") ? fill(informers, V1ConfigMap.class, Widget.class)
				: fill(informers, Widget.class, V1ConfigMap.class);
	}

	private <T extends KubernetesObject, C extends KubernetesObject> String fill(Informers informers, Class<T> primary,
			Class<C> owned) throws IOException, InterruptedException {
		// There are no primaries, so only the list is measured.
		ReconcilerContainer container = informers
			.controller(ReconcilerSpec.of("lists", primary, (object, run) -> Result.done())
				.withLabelSelector("none=none")
				.withOwned(owned));
		ProcessMeter meter = new ProcessMeter();
		double cpu = meter.cpu() / 1e9;
		long begin = System.nanoTime();
		container.start();
		informers.start();
		if (!container.awaitSync(LIMIT)) {
			throw new IllegalStateException("No sync: " + container.status());
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		cpu = meter.cpu() / 1e9 - cpu;
		int objects = informers.informer(InformerSpec.of(owned)).lister().list().size();
		return String.format(Locale.ROOT, "objects=%d requests=%d seconds=%.2f cpu=%.2f peak=%d", objects,
				this.requests.get(), seconds, cpu, meter.peakMemory() / 1_000_000);
	}

	private Response send(Interceptor.Chain chain) throws IOException {
		HttpUrl url = chain.request().url();
		boolean first = url.queryParameter("watch") == null && url.queryParameter("labelSelector") == null
				&& url.queryParameter("continue") == null;
		if (url.queryParameter("labelSelector") == null) {
			this.requests.incrementAndGet();
		}
		HttpUrl changed = switch (first ? this.way : "") {
			case "whole" -> url.newBuilder().removeAllQueryParameters("limit").build();
			case "since" -> url.newBuilder()
				.removeAllQueryParameters("limit")
				.setQueryParameter(RESOURCE_VERSION, version(chain))
				.setQueryParameter("resourceVersionMatch", "NotOlderThan")
				.build();
			default -> url;
		};
		return chain.proceed(chain.request().newBuilder().url(changed).build());
	}

	private String version(Interceptor.Chain chain) throws IOException {
		this.requests.incrementAndGet();
		HttpUrl one = chain.request().url().newBuilder().setQueryParameter("limit", "1").build();
		try (Response response = chain
			.proceed(chain.request().newBuilder().header("Accept", RawCluster.JSON).url(one).build())) {
			return JsonMapper.shared().readTree(response.body().string()).at("/metadata/resourceVersion").asString();
		}
	}

}
