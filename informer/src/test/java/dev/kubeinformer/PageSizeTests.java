package dev.kubeinformer;

import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PageSizeTests {

	private static final String CONFIG_MAPS = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"%s\"},\"items\":[]}";

	@Test
	void pageSizeOfAResourceComesBeforeThatOfAll() {
		try (ScriptedApiServer server = ScriptedApiServer.start();
				Informers informers = Informers.builder(client(server.url(), Protocol.HTTP_1_1, WireEncoding.JSON))
					.timings(FAST)
					.listMode(ListMode.PAGED)
					.pageSize(40)
					.build()) {
			server.on((request) -> isList(request, "pods"),
					(reply) -> reply.json(200, ScriptedPods.podList("41", "next", "a@1")));
			server.on((request) -> isList(request, "pods"),
					(reply) -> reply.json(200, ScriptedPods.podList("41", "", "b@2")));
			server.on((request) -> isList(request, "configmaps"),
					(reply) -> reply.json(200, CONFIG_MAPS.formatted("")));
			server.onEvery(RecordedRequest::isWatch, ScriptedReply::hold);
			Informer<V1Pod> pods = informers.informer(InformerSpec.of(V1Pod.class).withPageSize(3));
			Informer<V1ConfigMap> configMaps = informers.informer(V1ConfigMap.class);
			informers.start();
			await().until(() -> pods.hasSynced() && configMaps.hasSynced());
			assertThat(limits(server, "pods")).containsExactly("3", "3");
			assertThat(limits(server, "configmaps")).containsExactly("40");
		}
	}

	private static List<String> limits(ScriptedApiServer server, String plural) {
		return server.requests()
			.stream()
			.filter((request) -> isList(request, plural))
			.map((request) -> request.parameter("limit"))
			.toList();
	}

	private static boolean isList(RecordedRequest request, String plural) {
		return request.isList() && request.path().endsWith("/" + plural);
	}

	@Test
	void negativePageSizeIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.of(V1Pod.class).withPageSize(-5))
			.withMessageContaining("-5");
	}

}
