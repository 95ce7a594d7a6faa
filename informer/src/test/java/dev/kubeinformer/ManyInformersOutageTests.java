package dev.kubeinformer;

import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Recovery of many informers of one application after an outage of their API server, over
 * HTTP/2 with TLS.
 */
@Tag("slow")
@Timeout(180)
class ManyInformersOutageTests {

	private static final int INFORMERS = 200;

	/** Number of connections that these watches need, plus one. */
	private static final int CONNECTIONS = 3;

	/** Number of informers that may fail to connect before the others wait. */
	private static final int AT_ONCE = 16;

	private static final Duration SOON = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().namespacesMustExist(false).start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

	private final AtomicInteger attempts = new AtomicInteger();

	private Informers informers;

	private List<Informer<V1ConfigMap>> all;

	@BeforeEach
	void start() {
		ApiClient client = new ApiClient();
		client.setBasePath("https://127.0.0.1:" + this.network.port());
		client.setSslCaCert(new ByteArrayInputStream(this.api.caCertificate().getBytes(StandardCharsets.US_ASCII)));
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.connectionPool(new ConnectionPool())
			.eventListener(new EventListener() {

				@Override
				public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
					ManyInformersOutageTests.this.attempts.incrementAndGet();
				}

			})
			.build());
		this.informers = Informers.builder(client).build();
		this.all = IntStream.range(0, INFORMERS)
			.mapToObj(
					(i) -> this.informers.informer(InformerSpec.of(V1ConfigMap.class).withLabelSelector("number=" + i)))
			.toList();
		this.informers.start();
		awaitLive();
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.network.close();
		this.api.close();
	}

	@Test
	void allAreLiveAgainWithoutALossAfterConnectionsWereRefused() {
		int before = this.network.accepted();
		this.attempts.set(0);
		this.network.refuse();
		this.network.dropConnections();
		awaitStale();
		// While nobody can connect, few of them try: some at once, and then one by one.
		await().atMost(SOON).until(() -> this.attempts.get() > AT_ONCE);
		assertThat(this.attempts.get()).isLessThanOrEqualTo(AT_ONCE + 8);
		create();
		this.network.restore();
		awaitLive();
		assertAllHaveTheirObject();
		assertThat(this.network.connections()).isLessThanOrEqualTo(CONNECTIONS);
		// Far fewer than one for each of them.
		assertThat(this.network.accepted() - before).isLessThanOrEqualTo(50);
	}

	@Test
	void allAreLiveAgainWithoutALossAfterConnectionsHung() {
		this.network.hang();
		int before = this.network.accepted();
		this.network.dropConnections();
		awaitStale();
		create();
		await().atMost(SOON).until(() -> this.network.accepted() > before + 1);
		// One after the other, not all at once.
		assertThat(this.network.accepted() - before).isLessThanOrEqualTo(4);
		this.network.restore();
		awaitLive();
		assertAllHaveTheirObject();
	}

	@Test
	void answersThatDoNotComeHoldUpNobodyElse() {
		// As many as may wait for an answer at once, and more.
		Fault hanging = this.api.faults()
			.on((request) -> Requests.watch("configmaps").test(request)
					&& Integer.parseInt(request.parameter("labelSelector").substring("number=".length())) < 20)
			.freeze();
		this.network.dropConnections();
		await().atMost(SOON).until(() -> hanging.hits() >= 20);
		create();
		await().atMost(SOON).until(() -> live() >= INFORMERS - 20);
		hanging.remove();
	}

	@Test
	void stopIsQuickWhileAllOfThemWait() {
		this.network.hang();
		this.network.dropConnections();
		awaitStale();
		long begin = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
	}

	private void create() {
		for (int i = 0; i < INFORMERS; i++) {
			this.api.resources(V1ConfigMap.class)
				.create(new V1ConfigMap().metadata(new V1ObjectMeta().name("object-" + i)
					.namespace("default")
					.putLabelsItem("number", Integer.toString(i))));
		}
	}

	private void assertAllHaveTheirObject() {
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(this.all)
				.allSatisfy((informer) -> assertThat(informer.status().cache().size()).isEqualTo(1)));
	}

	private void awaitLive() {
		await().atMost(SOON).until(() -> live() == INFORMERS);
	}

	private void awaitStale() {
		await().atMost(SOON).until(() -> live() == 0);
	}

	private long live() {
		return this.all.stream().filter((informer) -> informer.status().state() == InformerState.LIVE).count();
	}

}
