package dev.kubeinformer.spring;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.cluster.ClusterListers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what an application prints that names clusters where there are none.
 */
@ExtendWith(OutputCaptureExtension.class)
class BrokenClusterTests {

	private static final String EDGE = "--kubernetes.clusters.edge.url=http://localhost:1";

	private static final String HUB = "--kubernetes.clusters.hub.url=http://localhost:1";

	@ParameterizedTest
	@CsvSource({ "ListerReader, Lister", "InformerReader, SharedIndexInformer", "InformersReader, Informers",
			"ClientReader, ApiClient" })
	void qualifierThatIsNoClusterShouldNameThoseThereAre(String reader, String type, CapturedOutput output)
			throws Exception {
		Class<?> bean = Class.forName(getClass().getName() + "$" + reader);
		BrokenApplication report = BrokenApplication.start(output, bean, EDGE, HUB);
		assertThat(report.description()).isEqualTo(("Parameter 0 of constructor in %s has @Qualifier(\"egde\"), but "
				+ "there is no such cluster, and no bean of type '%s' has that name")
			.formatted(bean.getName(), type));
		assertThat(report.action()).isEqualTo(("Did you mean 'edge'? Correct the name, say where the cluster is below "
				+ "'kubernetes.clusters.egde', or define a bean of type '%s' that has it. The clusters are 'edge', "
				+ "'hub'; the cluster of 'kubernetes.client' needs no qualifier.")
			.formatted(type));
	}

	@Test
	void qualifierOfAFieldWithoutAnyClusterShouldSaySo(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, FieldReader.class);
		assertThat(report.description()).startsWith("Field pods in ")
			.contains("has @Qualifier(\"egde\"), but there is no such cluster");
		assertThat(report.action()).doesNotContain("Did you mean").contains("There are no named clusters");
	}

	@Test
	void qualifierOfListersOfSeveralClustersShouldBeReplacedByASource(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, SeveralReader.class, EDGE, HUB);
		assertThat(report.description())
			.endsWith("has @Qualifier(\"edge\"), but a 'ClusterListers' belongs to several clusters and has no qualifier");
		assertThat(report.action()).contains("@InformerSource(cluster = \"edge\")", "'edge', 'hub'");
	}

	@Test
	void qualifierOfOtherTypesShouldBeLeftToOthers(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, OtherReader.class, EDGE).description())
			.contains("required a bean of type 'java.lang.StringBuilder' that could not be found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--kubernetes.informers.handlers.edge.podHandler.resync=1m",
			"--kubernetes.informers.handlers[edge.podHandler].resync=1m" })
	void clusterInTheKeyOfAHandlerShouldBeLeftOut(String argument, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodHandler.class, EDGE, argument,
				"--kubernetes.informers.handlers.podHandler.resync=1m");
		assertThat(report.description()).contains("edge.podHandler");
		assertThat(report.action()).contains("Remove 'edge.': settings apply to all clusters.")
			.doesNotContain("brackets");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--kubernetes.reconcilers.edge.podReconciler.concurrency=2",
			"--kubernetes.reconcilers[edge.podReconciler].concurrency=2" })
	void clusterInTheKeyOfAReconcilerShouldBeLeftOut(String argument, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class, EDGE, argument);
		assertThat(report.description()).contains("edge.podReconciler");
		assertThat(report.action()).contains("Remove 'edge.': settings apply to all clusters.")
			.doesNotContain("brackets");
	}

	@Test
	void dotsWithoutAClusterShouldStillNeedBrackets(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodHandler.class, EDGE,
				"--kubernetes.informers.handlers.west.podHandler.resync=1m");
		assertThat(report.action()).contains("in brackets").doesNotContain("all clusters");
	}

	static class ListerReader {

		ListerReader(@Qualifier("egde") Lister<V1Pod> pods) {
		}

	}

	static class InformerReader {

		InformerReader(@Qualifier("egde") SharedIndexInformer<V1Pod> pods) {
		}

	}

	static class InformersReader {

		InformersReader(@Qualifier("egde") Informers informers) {
		}

	}

	static class ClientReader {

		ClientReader(@Qualifier("egde") ApiClient client) {
		}

	}

	static class FieldReader {

		@Autowired
		@Qualifier("egde")
		Lister<V1Pod> pods;

	}

	static class SeveralReader {

		SeveralReader(@Qualifier("edge") ClusterListers<V1Pod> pods) {
		}

	}

	static class OtherReader {

		OtherReader(@Qualifier("egde") StringBuilder text) {
		}

	}

	@InformerHandler(id = "podHandler", cluster = "edge")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler(id = "podReconciler", cluster = "edge")
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

}
