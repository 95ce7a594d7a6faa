package dev.kubeinformer;

import java.nio.file.Path;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streaming lists, where the API server has them, on a real one of any version.
 */
@RequiresCluster
class StreamingFallbackClusterTests {

	@Test
	void serverOfAnyVersionIsListedWithoutAWarning(Path kubeconfig) throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		try (Informers informers = Informers.builder(ClusterSupport.client(kubeconfig))
			.listMode(ListMode.AUTO)
			.build()) {
			List<Informer<?>> all = List.of(informers.informer(InformerSpec.of(V1Namespace.class)),
					informers.informer(InformerSpec.of(V1ConfigMap.class)));
			informers.start();
			await().until(() -> all.stream().allMatch(Informer::hasSynced));
			assertThat(all).allSatisfy((each) -> assertThat(each.status().lastError()).isNull());
			assertThat(lines.list).noneMatch((line) -> line.getLevel().isGreaterOrEqual(Level.WARN));
		}
		finally {
			logger.detachAppender(lines);
		}
	}

}
