package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.reflector.ListMode;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;

import static dev.kubeinformer.EngineTestSupport.client;
import static org.assertj.core.api.Assertions.assertThat;

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
			api.awaitTold("+a", "+b");
			assertThat(api.asked()).containsExactly("FULL", "WATCH 41", "PROBE", "WATCH 41");
			assertThat(authorizations(api.requests())).endsWith("Bearer first", "Bearer second", "Bearer second");
			assertThat(this.fetched).hasValue(before + 1);
		}
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
