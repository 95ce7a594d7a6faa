package dev.kubeinformer;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Problem;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An API server, or what poses as one, that redirects to another host. The client of the
 * application follows redirects, and the informer does not.
 */
class RedirectScenarioTests {

	private final EmbeddedKubernetes other = EmbeddedKubernetes.start();

	private final ScriptedApiServer api = ScriptedApiServer.start();

	@AfterEach
	void stop() {
		this.api.close();
		this.other.close();
	}

	private Informers informers(ListMode mode) {
		return EngineTestSupport.informers(this.api.url(), (builder) -> builder.listMode(mode));
	}

	private void redirect() {
		this.api.onEvery(Requests.any(),
				(reply) -> reply.header("Location", this.other.url() + "/api/v1/pods?token=hunter2")
					.body(302, new byte[0]));
	}

	@ParameterizedTest
	@EnumSource(ListMode.class)
	void informerShouldNotFollowAndTryAgain(ListMode mode) {
		this.other.resources(V1Pod.class).create(pod("blog", "a"));
		this.other.clearRequests();
		redirect();
		try (Informers informers = informers(mode)) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> this.api.requests().size() > 3);
			await().until(() -> pods.status().lastError() != null);
			InformerError error = pods.status().lastError();
			assertThat(error.problem()).isEqualTo(Problem.REJECTED);
			assertThat(error.httpStatus()).isEqualTo(302);
			assertThat(error.message()).contains("'" + this.other.url() + "'").doesNotContain("hunter");
			assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
			assertThat(pods.hasSynced()).isFalse();
		}
		assertThat(this.other.requests()).isEmpty();
	}

	@Test
	void informerThatWasLiveShouldBeStaleAndKeepItsCache() {
		this.api.onList((reply) -> reply.json(200,
				"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"namespace\":\"blog\",\"uid\":\"u\",\"resourceVersion\":\"40\"}}]}"));
		ScriptedReply watch = this.api.onWatch((reply) -> reply.bookmark("42"));
		try (Informers informers = informers(ListMode.PAGED)) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.state() == InformerState.LIVE);
			redirect();
			watch.end();
			await().until(() -> pods.state() == InformerState.STALE && pods.status().lastError() != null);
			assertThat(pods.status().lastError().message()).contains(this.other.url());
			assertThat(pods.lister().list()).hasSize(1);
		}
		assertThat(this.other.requests()).isEmpty();
	}

}
