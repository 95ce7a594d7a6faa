package dev.kubeinformer.spring.autoconfigure.definitions;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@code kubernetes.definitions} on a real kube-apiserver.
 */
@RequiresCluster
class DefinitionsClusterTests {

	private static final String GROUP = "apply.kube-informer.example";

	private static final String NAME = "widgets." + GROUP;

	private static final String ROLE = "kube-informer-definitions-test";

	private ApiClient admin;

	private ApplicationContextRunner runner;

	@BeforeEach
	void connect(Path kubeconfig) throws Exception {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			this.admin = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
		this.runner = InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig, "kubernetes.definitions.apply=true",
					"kubernetes.client.allow-in-tests=true", "kubernetes.informers.startup.wait-for-sync=true");
		cleanUp();
	}

	@AfterEach
	void cleanUp() throws IOException {
		delete(() -> definitions().deleteCustomResourceDefinition(NAME).execute());
		delete(() -> definitions().deleteCustomResourceDefinition("others." + GROUP).execute());
		delete(() -> new RbacAuthorizationV1Api(this.admin).deleteClusterRole(ROLE).execute());
		delete(() -> new RbacAuthorizationV1Api(this.admin).deleteClusterRoleBinding(ROLE).execute());
	}

	@Test
	void definitionShouldBeCreatedEstablishedAndKept() throws Exception {
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
		String created = version();
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(version()).isEqualTo(created);
		this.runner.withBean(RetypedReader.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining(".spec.size had the type string and has integer"));
		assertThat(version()).isEqualTo(created);
		this.runner.withBean(RetypedReader.class)
			.withPropertyValues("kubernetes.definitions.accept-breaking-changes=" + NAME)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(version()).isNotEqualTo(created);
	}

	@Test
	void rolesOfTheApplicationShouldBeEnough() {
		ApplicationContextRunner limited = this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.client.impersonate.user=" + ROLE);
		limited.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageStartingWith("Cannot apply the CustomResourceDefinition '" + NAME + "': HTTP 403: "));
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false",
					"kubernetes.informers.startup.wait-for-sync=false")
			.run(this::grant);
		limited.run((context) -> assertThat(context).hasNotFailed());
	}

	private void grant(ApplicationContext context) throws ApiException {
		Map<String, Object> role = RequiredRoles.of(context, context.getEnvironment()).in("default", List.of()).get(0);
		V1ClusterRole parsed = JSON.getGson().fromJson(JSON.getGson().toJson(role), V1ClusterRole.class);
		parsed.setMetadata(new V1ObjectMeta().name(ROLE));
		new RbacAuthorizationV1Api(this.admin).createClusterRole(parsed).execute();
		new RbacAuthorizationV1Api(this.admin)
			.createClusterRoleBinding(new V1ClusterRoleBinding().metadata(new V1ObjectMeta().name(ROLE))
				.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name(ROLE))
				.addSubjectsItem(new RbacV1Subject().apiGroup("rbac.authorization.k8s.io").kind("User").name(ROLE)))
			.execute();
	}

	@Test
	void kindThatAnotherDefinitionHasShouldBeRefusedInTheWordsOfTheServer() {
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
		this.runner.withBean(OtherReader.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("the API server does not accept its names: \"")
				.hasMessageEndingWith("\" is already in use"));
	}

	private ApiextensionsV1Api definitions() {
		return new ApiextensionsV1Api(this.admin);
	}

	private String version() throws ApiException {
		return Objects.requireNonNull(
				definitions().readCustomResourceDefinition(NAME).execute().getMetadata().getResourceVersion());
	}

	private static void delete(Deletion deletion) throws IOException {
		try {
			deletion.execute();
		}
		catch (ApiException ex) {
			if (ex.getCode() != 404) {
				throw new IOException(ex.getResponseBody(), ex);
			}
		}
	}

	@FunctionalInterface
	private interface Deletion {

		void execute() throws ApiException;

	}

	record WidgetReader(Lister<RealWidget> widgets) {
	}

	record RetypedReader(Lister<RetypedWidget> widgets) {
	}

	record OtherReader(Lister<OtherWidget> widgets) {
	}

	@KubernetesResource(group = GROUP, version = "v1", plural = "widgets", kind = "Widget")
	static class RealWidget extends Widget.Base {

		Widget.@Nullable Spec spec;

	}

	@KubernetesResource(group = GROUP, version = "v1", plural = "widgets", kind = "Widget")
	static class RetypedWidget extends Widget.Base {

		Widget.@Nullable RetypedSpec spec;

	}

	@KubernetesResource(group = GROUP, version = "v1", plural = "others", kind = "Widget")
	static class OtherWidget extends Widget.Base {

		Widget.@Nullable Spec spec;

	}

}
