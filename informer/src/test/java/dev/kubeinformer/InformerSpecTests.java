package dev.kubeinformer;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.informer.InformerSpec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the ids that informers have by their {@link InformerSpec}.
 */
class InformerSpecTests {

	@Test
	void idOfADefaultSpecIsTheResource() {
		assertThat(InformerSpec.of(V1Pod.class).id()).isEqualTo("pods");
		assertThat(InformerSpec.of(V1Deployment.class).id()).isEqualTo("deployments.apps");
	}

	@Test
	void idOfANarrowedSpecIsTheSameInEveryProcess() {
		assertThat(InformerSpec.of(V1Pod.class).withNamespaces("web").id()).isEqualTo("pods-d041d229");
		assertThat(InformerSpec.of(V1Deployment.class).withLabelSelector("app=a").id())
			.isEqualTo("deployments.apps-d8d9d9a7");
	}

	@Test
	void idsOfSpecsThatDifferDiffer() {
		InformerSpec<V1Pod> pods = InformerSpec.of(V1Pod.class);
		assertThat(List.of(pods, pods.withNamespaces("a"), pods.withNamespaces("a", "b"), pods.withLabelSelector("a"),
				pods.withFieldSelector("a=b"), pods.withLabelSelector("a=b")))
			.extracting(InformerSpec::id)
			.doesNotHaveDuplicates()
			.allMatch((id) -> id.matches("pods(-[0-9a-f]{8})?"));
		assertThat(pods.withNamespaces("b", "a").id()).isEqualTo(pods.withNamespaces("a", "b").id());
	}

	@Test
	void idOfANamedSpecIsItsNameAndDoesNotCount() {
		InformerSpec<V1Pod> web = InformerSpec.of(V1Pod.class).withNamespaces("web");
		assertThat(web.named("front").id()).isEqualTo("front");
		assertThat(web.named("front")).isEqualTo(web);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "metadata.name=a | a", "metadata.name==a.b | a.b", "spec.nodeName=n,metadata.name=a | a",
					"metadata.name!=a |", "metadata.name= |", "spec.nodeName=n |", "metadata.namespace=a |",
					"metadata.name=a/b |", "metadata.name=.. |", "metadata.name=a\\,b | a,b" })
	void specThatSelectsOneObjectNamesIt(String selector, @Nullable String name) {
		assertThat(InformerSpec.of(V1Pod.class).withFieldSelector(selector).objectName()).isEqualTo(name);
	}

	@Test
	void specWithoutFieldSelectorNamesNoObject() {
		assertThat(InformerSpec.of(V1Pod.class).objectName()).isNull();
	}

}
