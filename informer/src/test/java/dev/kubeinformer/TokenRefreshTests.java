package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tokens that the API server does not accept any more, long before the client would renew
 * them.
 */
class TokenRefreshTests {

	private final AtomicReference<String> current = new AtomicReference<>("first");

	private final AtomicInteger fetched = new AtomicInteger();

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void tokenThatHasExpiredIsRenewedAndTheWatchResumed(ListMode mode) throws InterruptedException {
		try (ScriptedPods api = new ScriptedPods(mode, Protocol.HTTP_1_1)) {
			ScriptedReply watch = api.state("41", "a@1");
			api.watch((reply) -> reply.status(401));
			api.probe("41");
			api.watch((reply) -> reply.event("ADDED", ScriptedPods.pod("b@42")).hold());
			api.start(withToken(api.server().url()), InformerSpec.of(V1Pod.class), (builder) -> builder);
			api.awaitSync();
			int before = this.fetched.get();
			this.current.set("second");
			watch.end();
			api.awaitDelivered("+a", "+b");
			assertThat(api.asked()).containsExactly("FULL", "WATCH 41", "PROBE", "WATCH 41");
			assertThat(authorizations(api.requests())).endsWith("Bearer first", "Bearer second", "Bearer second");
			assertThat(this.fetched).hasValue(before + 1);
		}
	}

	@Test
	void credentialPluginThatHangsDoesNotHoldUpAStop() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger asked = new AtomicInteger();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			ApiClient client = client(kubernetes.url());
			new RefreshAuthentication(() -> (asked.getAndIncrement() == 0) ? "first" : hang(release),
					Duration.ofHours(1))
				.provide(client);
			Informers informers = Informers.builder(() -> client).build();
			Set<Thread> before = Thread.getAllStackTraces().keySet();
			for (Class<? extends KubernetesObject> type : List.of(V1Pod.class, V1Node.class, V1ConfigMap.class)) {
				informers.informer(type);
			}
			informers.start();
			await().untilAtomic(asked, (value) -> assertThat(value).isEqualTo(2));
			informers.stop();
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.filteredOn((name) -> name.contains("reflector"))
				.isEmpty());
			assertThat(asked).hasValue(2);
		}
		finally {
			release.countDown();
		}
	}

	/** Same behaviour as the official client's while a plugin prints nothing. */
	private static String hang(CountDownLatch release) {
		while (release.getCount() > 0) {
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			Thread.interrupted();
		}
		return "second";
	}

	private ApiClient withToken(String url) {
		ApiClient client = client(url);
		new RefreshAuthentication(() -> {
			this.fetched.incrementAndGet();
			return this.current.get();
		}, Duration.ofHours(1)).provide(client);
		return client;
	}

	private static List<String> authorizations(List<RecordedRequest> requests) {
		return requests.stream().map((request) -> String.valueOf(request.header("Authorization"))).toList();
	}

}
