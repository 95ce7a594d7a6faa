package dev.kubeinformer.resource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.fixtures.CustomObject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResourceTypeTests {

	/**
	 * Models that kube-apiserver takes or answers, but of which it keeps no collection.
	 */
	private static final Set<String> NOT_LISTABLE = Set.of("AuthenticationV1TokenRequest", "V1Binding", "V1Eviction",
			"V1LocalSubjectAccessReview", "V1Scale", "V1SelfSubjectAccessReview", "V1SelfSubjectReview",
			"V1SelfSubjectRulesReview", "V1SubjectAccessReview", "V1TokenReview", "V2APIGroupDiscovery",
			"V2beta1APIGroupDiscovery");

	@Test
	void coreTypeHasNoGroup() {
		ResourceType<V1Pod> pods = ResourceType.of(V1Pod.class);
		assertThat(pods.name()).isEqualTo("pods");
		assertThat(pods.apiVersion()).isEqualTo("v1");
		assertThat(pods.kind()).isEqualTo("Pod");
		assertThat(pods.namespaced()).isTrue();
		assertThat(pods.path(null)).isEqualTo("/api/v1/pods");
		assertThat(pods.path("blog")).isEqualTo("/api/v1/namespaces/blog/pods");
	}

	@Test
	void groupedTypeIsNamedWithItsGroup() {
		ResourceType<V1Deployment> deployments = ResourceType.of(V1Deployment.class);
		assertThat(deployments.name()).isEqualTo("deployments.apps");
		assertThat(deployments.path("blog")).isEqualTo("/apis/apps/v1/namespaces/blog/deployments");
	}

	@Test
	void clusterScopedTypeIsNotNamespaced() {
		assertThat(ResourceType.of(V1Node.class).namespaced()).isFalse();
	}

	@Test
	void customTypeIsReadFromItsAnnotation() {
		ResourceType<Widget> widgets = ResourceType.of(Widget.class);
		assertThat(widgets.name()).isEqualTo("widgets.example.com");
		assertThat(widgets.kind()).isEqualTo("Widget");
		assertThat(widgets.path(null)).isEqualTo("/apis/example.com/v1/widgets");
	}

	@Test
	void classWithoutMappingIsRefusedByName() {
		assertThatExceptionOfType(UnknownResourceTypeException.class).isThrownBy(() -> ResourceType.of(Unmapped.class))
			.withMessageContaining(Unmapped.class.getName())
			.withMessageContaining("@KubernetesResource");
		assertThatExceptionOfType(UnknownResourceTypeException.class).isThrownBy(() -> ResourceType.of(V1Scale.class));
	}

	@Test
	void resourceWithoutClassIsFoundByTheNameThatKubectlTakes() {
		ResourceType<DynamicKubernetesObject> widgets = ResourceType.parse("widgets.v1.stable.example.com");
		assertThat(widgets).isEqualTo(ResourceType.dynamic("stable.example.com", "v1", "widgets"));
		assertThat(widgets.isDynamic()).isTrue();
		assertThat(widgets.kind()).isEmpty();
		assertThat(ResourceType.parse("pods.v1.")).isEqualTo(ResourceType.dynamic("", "v1", "pods"))
			.isNotEqualTo(ResourceType.of(V1Pod.class));
		assertThat(ResourceType.parse("clusterroles.v1.rbac.authorization.k8s.io").namespaced()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "widgets", "widgets.example.com", "pods.v1", "widgets.v1/example.com", "a/b.v1.example.com",
					".v1.example.com", "widgets.v1.Example.com", "widgets.v1.example..com", "widgets.example.com/v1" })
	void nameOfNoResourceIsRefusedAndQuoted(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.parse(name)).withMessageStartingWith("'");
	}

	@Test
	void classOfAnyResourceIsRefusedWithoutAName() {
		assertThatExceptionOfType(UnknownResourceTypeException.class)
			.isThrownBy(() -> ResourceType.of(DynamicKubernetesObject.class))
			.withMessageContaining("'widgets.v1.example.com'");
	}

	@Test
	void annotationWithPathInPluralIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(Misnamed.class))
			.withMessageContaining("plural")
			.withMessageContaining("'a/b'");
	}

	@Test
	void everyModelOfTheOfficialClientIsInTheCatalogueOrKnownNotToBeListable() {
		Set<String> models = new ClassFileImporter().importPackages("io.kubernetes.client.openapi.models")
			.stream()
			.filter((candidate) -> candidate.isAssignableTo(KubernetesObject.class) && !candidate.isInterface())
			.map(JavaClass::getSimpleName)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(models).hasSizeGreaterThan(90);
		Set<String> catalogue = ResourceType.builtIn()
			.stream()
			.map((type) -> type.objectClass().getSimpleName())
			.collect(Collectors.toCollection(TreeSet::new));
		models.removeAll(NOT_LISTABLE);
		assertThat(catalogue).isEqualTo(models);
	}

	@Test
	void embeddedApiServerKnowsTheSameTypes() throws IOException {
		assertThat(table("/dev/kubeinformer/test/internal/resource/built-in-types.txt"))
			.isEqualTo(table("/dev/kubeinformer/resource/built-in-types.txt"))
			.isNotEmpty();
	}

	private Set<String> table(String resource) throws IOException {
		try (InputStream stream = ResourceTypeTests.class.getResourceAsStream(resource)) {
			assertThat(stream).as(resource).isNotNull();
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.startsWith("#") && !line.isBlank())
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends CustomObject {

	}

	static class Unmapped extends Widget {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "a/b")
	static class Misnamed extends Widget {

	}

}
