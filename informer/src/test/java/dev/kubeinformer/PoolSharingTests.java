package dev.kubeinformer;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static org.assertj.core.api.Assertions.assertThat;

class PoolSharingTests {

	@Test
	void informersThatStopGiveTheirPartBack() {
		try (ScriptedApiServer server = ScriptedApiServer.start()) {
			server.onEvery(ScriptedPods::isListOrPage,
					(reply) -> reply.json(200, ScriptedPods.podList("41", "", "a@1", "b@2")));
			server.onEvery(ScriptedPods::isResumedWatch, ScriptedReply::hold);
			Informers first = builder(server).build();
			Informers second = builder(server).cluster("edge").sharePoolsWith(first).build();
			PoolBudget pools = first.pools();
			assertThat(second.pools()).isSameAs(pools);
			assertThat(builder(server).build().pools()).isNotSameAs(pools);
			assertThat(pools.bytes()).isEqualTo(16 * 1024 * 1024);
			assertThat(pools.reserved()).isZero();
			sync(first);
			long ofOne = pools.reserved();
			assertThat(ofOne).isPositive();
			sync(second);
			assertThat(pools.reserved()).isGreaterThan(ofOne);
			second.stop();
			assertThat(pools.reserved()).isEqualTo(ofOne);
			first.close();
			assertThat(pools.reserved()).isZero();
			sync(first);
			assertThat(pools.reserved()).isPositive();
			first.close();
			assertThat(pools.reserved()).isZero();
		}
	}

	private static Informers.Builder builder(ScriptedApiServer server) {
		return Informers.builder(client(server.url(), Protocol.HTTP_1_1, WireEncoding.JSON))
			.timings(FAST)
			.listMode(ListMode.PAGED);
	}

	private static void sync(Informers informers) {
		Informer<V1Pod> pods = informers.informer(V1Pod.class);
		informers.start();
		await().until(pods::hasSynced);
	}

}
