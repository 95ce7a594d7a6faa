package dev.kubeinformer;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How soon informers and reconcilers are back after an outage of the API server, with the
 * durations of life, over HTTP/2 with TLS.
 */
@Tag("slow")
@Timeout(180)
class OutageReturnTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	/** As long as it takes waits that grow to be long. */
	private static final Duration AWAY = Duration.ofSeconds(20);

	private static final Duration SOON = Duration.ofSeconds(6);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().namespacesMustExist(false).start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

	private volatile String address = "127.0.0.1";

	private Informers informers;

	private List<Informer<V1ConfigMap>> all;

	@AfterEach
	void close() {
		this.informers.close();
		this.network.close();
		this.api.close();
	}

	@ParameterizedTest
	@CsvSource({ "REFUSED, 1", "REFUSED, 200", "UNAVAILABLE, 1", "UNAVAILABLE, 200", "HANGING, 1", "HANGING, 200",
			"FROZEN, 1", "FROZEN, 200", "MOVED, 1", "MOVED, 200" })
	void allAreBackWithinSecondsAfterAnOutage(Kind kind, int count) throws InterruptedException {
		ReconcilerContainer reconciler = start(count);
		create("before");
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hasChild("before"));
		begin(kind);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> live() == 0);
		this.api.resources(V1Secret.class).delete("default", "before");
		create("meanwhile");
		reconciler.trigger(new ObjectKey("default", "before"));
		// The duration of the outage is what is tested, not a wait for something.
		Thread.sleep(AWAY.toMillis());
		long returned = System.nanoTime();
		end(kind);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(60))
			.until(() -> live() == this.informers.all().size());
		Duration live = Duration.ofNanos(System.nanoTime() - returned);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(60))
			.until(() -> hasChild("before") && hasChild("meanwhile"));
		Duration child = Duration.ofNanos(System.nanoTime() - returned);
		figures.info("{} informers, {} for {}: the last one live after {}, the children there after {}",
				this.informers.all().size(), kind, AWAY, live, child);
		assertThat(live).isLessThanOrEqualTo(SOON);
		assertThat(child).isLessThanOrEqualTo(SOON);
	}

	private ReconcilerContainer start(int count) throws InterruptedException {
		ApiClient client = new ApiClient();
		client.setBasePath("https://localhost:" + this.network.port());
		client.setSslCaCert(new ByteArrayInputStream(this.api.caCertificate().getBytes(StandardCharsets.US_ASCII)));
		client.setHttpClient(
				client.getHttpClient().newBuilder().connectionPool(new ConnectionPool()).dns(new Names()).build());
		this.informers = Informers.builder(client).build();
		ReconcilerContainer reconciler = this.informers
			.controller(ReconcilerSpec.of("children", V1ConfigMap.class, (primary, run) -> {
				run.apply(new V1Secret().metadata(new V1ObjectMeta().name(primary.getMetadata().getName())));
				return Result.done();
			}));
		this.all = IntStream.range(1, count)
			.mapToObj(
					(i) -> this.informers.informer(InformerSpec.of(V1ConfigMap.class).withLabelSelector("number=" + i)))
			.toList();
		reconciler.start();
		this.informers.start();
		assertThat(reconciler.awaitIdle(Duration.ofSeconds(60))).isTrue();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> live() == this.informers.all().size());
		return reconciler;
	}

	private void begin(Kind kind) {
		switch (kind) {
			case REFUSED -> this.network.refuse();
			case UNAVAILABLE -> this.api.faults().on(Requests.any()).status(503);
			case HANGING -> this.network.hang();
			case FROZEN -> this.api.faults().on(Requests.any()).freeze();
			case MOVED -> this.address = "127.0.0.2";
		}
		this.network.dropConnections();
	}

	private void end(Kind kind) {
		switch (kind) {
			case REFUSED, HANGING -> this.network.restore();
			case UNAVAILABLE, FROZEN -> this.api.faults().clear();
			case MOVED -> this.address = "127.0.0.1";
		}
	}

	private void create(String name) {
		this.api.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("default")));
	}

	private boolean hasChild(String name) {
		return this.api.resources(V1Secret.class).get("default", name) != null;
	}

	private long live() {
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.status().state() == InformerState.LIVE)
			.count();
	}

	/**
	 * How a server is away.
	 */
	enum Kind {

		/** No process listens. */
		REFUSED,

		/** Each request is answered with an error. */
		UNAVAILABLE,

		/** Connections are accepted, and nothing more. */
		HANGING,

		/** Requests are accepted, and nothing more. */
		FROZEN,

		/** Its name leads to an address where it is not. */
		MOVED

	}

	/**
	 * Names that lead to an address that changes.
	 */
	private final class Names implements Dns {

		@Override
		public List<InetAddress> lookup(String hostname) throws UnknownHostException {
			return List.of(InetAddress.getByName(OutageReturnTests.this.address));
		}

	}

}
