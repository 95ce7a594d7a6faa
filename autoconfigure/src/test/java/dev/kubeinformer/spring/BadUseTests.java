package dev.kubeinformer.spring;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the one message that each mistake is answered with when the application
 * starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class BadUseTests {

	@Test
	void startWhenParameterIsNoObjectShouldListSignatures(CapturedOutput output) {
		BrokenApplication.fail(StringParameter.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "StringParameter", "added(String)",
				"cannot be called as a @OnAdd method", "@OnUpdate: (T), (T before, T after) or (ResourceEvent<T>)");
	}

	@Test
	void startWhenMethodReturnsSomethingShouldListSignatures(CapturedOutput output) {
		BrokenApplication.fail(ReturnValue.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "'String added(V1Pod)'", "has a return value",
				"return type 'void'");
	}

	@Test
	void startWhenSignatureIsOfAnotherEventShouldListSignatures(CapturedOutput output) {
		BrokenApplication.fail(TwoParametersForAdd.class);
		assertThat(output).contains("cannot be called as a @OnAdd method", "@OnAdd:    (T) or (ResourceEvent<T>)");
	}

	@Test
	void startWhenMethodsTakeTwoTypesShouldNameBoth(CapturedOutput output) {
		BrokenApplication.fail(TwoTypes.class);
		assertThat(output).contains("handles more than one type",
				"'%s' and '%s'".formatted(V1Node.class.getName(), V1Pod.class.getName()));
	}

	@Test
	void startWhenTypeContradictsParameterShouldNameBoth(CapturedOutput output) {
		BrokenApplication.fail(ContradictedType.class);
		assertThat(output).contains("handles more than one type");
	}

	@Test
	void startWhenTypeIsUnknownShouldAskForIt(CapturedOutput output) {
		BrokenApplication.fail(NoType.class);
		assertThat(output).contains("does not say which resource it handles", "@InformerHandler(V1Pod.class)");
	}

	@Test
	void startWhenHandlerHasNoMethodShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(NoMethod.class);
		assertThat(output).contains("has no method to call", "ResourceEventHandler<T>");
	}

	@Test
	void startWhenHandlerHasBothStylesShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(BothStyles.class);
		assertThat(output).contains("implements 'ResourceEventHandler' and has @OnAdd");
	}

	@Test
	void startWhenTwoMethodsHandleOneEventShouldNameBoth(CapturedOutput output) {
		BrokenApplication.fail(TwoMethods.class);
		assertThat(output).contains("first(", "second(", "is called for the same event");
	}

	@Test
	void startWhenConditionIsInvalidShouldQuoteIt(CapturedOutput output) {
		BrokenApplication.fail(InvalidCondition.class);
		assertThat(output).contains("condition '#event..'", "is not a SpEL expression");
	}

	@Test
	void startWhenHandlerIsPrototypeShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(PrototypeHandler.class);
		assertThat(output).contains("has the scope 'prototype'");
	}

	@Test
	void startWhenClassHasNoResourceShouldNameAnnotation(CapturedOutput output) {
		BrokenApplication.fail(UnknownType.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "@InformerHandler bean '", Gadget.class.getName(),
				"@KubernetesResource(group = \"...\"");
	}

	@Test
	void startWhenInjectedClassHasNoResourceShouldNameInjectionPoint(CapturedOutput output) {
		BrokenApplication.fail(UnknownTypeInjected.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "Parameter 0 of constructor in",
				UnknownTypeInjected.class.getName(), Gadget.class.getName(), "@KubernetesResource(group = \"...\"");
	}

	@ParameterizedTest
	@ValueSource(classes = { UnreadableType.class, UnreadableTypeInjected.class, UnreadableTypeAsked.class })
	void startWhenClassCannotBeReadShouldNameField(Class<?> source, CapturedOutput output) {
		BrokenApplication.fail(source);
		assertThat(output).contains("APPLICATION FAILED TO START", source.getSimpleName(),
				"Objects of '%s' cannot be read: the field 'part' of '%s'".formatted(Unreadable.class.getName(),
						Unreadable.class.getName()),
				"Use a type that Gson reads, or annotate the field with Gson's @JsonAdapter.");
	}

	@Test
	void startWhenInjectedTypeIsRawShouldNameInjectionPoint(CapturedOutput output) {
		BrokenApplication.fail(RawLister.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Parameter 0 of the constructor of '%s'".formatted(RawLister.class.getName()),
				"does not determine the resource", "'Lister<V1Pod>'");
	}

	@Test
	void startWhenInjectedTypeIsWildcardShouldNameInjectionPoint(CapturedOutput output) {
		BrokenApplication.fail(WildcardLister.class);
		assertThat(output).contains("does not determine the resource", "'Lister<V1Pod>'");
	}

	@Test
	void startWhenIdsAreEqualShouldNameBoth(CapturedOutput output) {
		BrokenApplication.fail(DuplicateIds.class);
		assertThat(output).contains("has the id 'my_pods', which is taken by", "'first'", "'second'");
	}

	@Test
	void startWhenIdIsThatOfAnInformerShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(InformerId.class);
		assertThat(output).contains("has the id 'pods', which is taken by the informer 'pods'");
	}

	@Test
	void startWhenIdIsInvalidShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(InvalidId.class);
		assertThat(output).contains("has the id 'a/b'");
	}

	@Test
	void startWhenConfigurationNamesNoHandlerShouldListHandlers(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.handlers.podHandle.resync=5s");
		assertThat(output).contains("'kubernetes.informers.handlers.podHandle'", "no handler has the id 'podHandle'",
				"The handlers are 'podHandler'");
	}

	@Test
	void startWhenDurationIsInvalidShouldQuoteIt(CapturedOutput output) {
		BrokenApplication.fail(InvalidDuration.class);
		assertThat(output).contains("has the resync 'soon'", "a duration such as '30s'");
	}

	@Test
	void startWhenConcurrencyIsInvalidShouldQuoteIt(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.handlers.podHandler.concurrency=0");
		assertThat(output).contains("'kubernetes.informers.handlers.podHandler.concurrency' is '0'",
				"must be at least 1");
	}

	@Test
	void startWhenRetryIsInvalidShouldQuoteIt(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.handlers.podHandler.retry.multiplier=NaN");
		assertThat(output).contains("'kubernetes.informers.handlers.podHandler.retry.multiplier' is 'NaN'",
				"must be a number, and at least 1");
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.retry.max-retries=-1");
		assertThat(output).contains("'kubernetes.informers.retry.max-retries' is '-1'", "must be at least 0");
	}

	@Test
	void startWhenClusterScopedResourceHasNamespaceShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(NodeHandlerWithNamespace.class);
		assertThat(output).contains("cluster-scoped", "[web]");
	}

	@Test
	void startWhenPlaceholderLeavesNoNamespaceShouldNotWatchTheCluster(CapturedOutput output) {
		BrokenApplication.fail(BlankNamespace.class);
		assertThat(output).contains("'${app.namespace:}'", "for all of the cluster write '*'");
	}

	@Test
	void startWhenPropertyLeavesNoNamespaceShouldNotWatchTheCluster(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.namespaces=${app.namespace:}");
		assertThat(output).contains("'kubernetes.informers.namespaces' is '${app.namespace:}'",
				"for all of the cluster write '*'");
	}

	@Test
	void startWhenHandlersPropertyLeavesNoNamespaceShouldNotWatchTheCluster(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class,
				"--kubernetes.informers.handlers.podHandler.namespaces=${app.namespace:}");
		assertThat(output).contains("'kubernetes.informers.handlers.podHandler.namespaces' is '${app.namespace:}'");
	}

	@Test
	void startWhenInjectionPointLeavesNoNamespaceShouldNotWatchTheCluster(CapturedOutput output) {
		BrokenApplication.fail(BlankNamespaceInjected.class);
		assertThat(output).contains("@InformerSource on parameter 0", "'${app.namespace:}'");
	}

	@Test
	void startWhenAllNamespacesAndOthersAreNamedShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.namespaces=*,web");
		assertThat(output).contains("'*' among the namespaces [*, web]");
	}

	@Test
	void startWhenProxyHidesMethodShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(HiddenMethodConfiguration.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "which the bean's proxy does not have");
	}

	@Test
	void startWhenProxiedMethodIsFinalShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(FinalMethodConfiguration.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "final void", "which the bean's proxy does not have",
				"neither private nor final");
	}

	@Test
	void startWhenProxiedInterfaceMethodIsFinalShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(FinalInterfaceMethodConfiguration.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "onAdd", "which the bean's proxy does not have");
	}

	@Test
	void startWhenProxiedMethodIsPrivateAndBeanIsLazyShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(LazyPrivateMethodConfiguration.class, "--spring.main.lazy-initialization=true");
		assertThat(output).contains("APPLICATION FAILED TO START", "private void",
				"which the bean's proxy does not have");
	}

	@Test
	void startWhenPlaceholderOfAnnotationIsUnknownShouldNameAttribute(CapturedOutput output) {
		BrokenApplication.fail(UnknownPlaceholder.class);
		assertThat(output)
			.contains("APPLICATION FAILED TO START", UnknownPlaceholder.class.getName(),
					"has the labelSelector 'app=${app.unknown}', which cannot be resolved", "'app.unknown'")
			.doesNotContain("\tat ");
	}

	@Test
	void startWhenExpressionOfAnnotationIsInvalidShouldNameAttribute(CapturedOutput output) {
		BrokenApplication.fail(InvalidExpression.class);
		assertThat(output)
			.contains("APPLICATION FAILED TO START", InvalidExpression.class.getName(),
					"has the namespaces '#{@nobody.name}', which cannot be resolved")
			.doesNotContain("\tat ");
	}

	@Test
	void startWhenExpressionThrowsShouldNotQuoteTheMessage(CapturedOutput output) {
		BrokenApplication.fail(ThrowingExpression.class, "--app.secret=s3cret");
		assertThat(output).contains("APPLICATION FAILED TO START", "has the resync '#{").doesNotContain("s3cret");
	}

	@Test
	void startWhenPlaceholderOfIdIsUnknownShouldNameAttribute(CapturedOutput output) {
		BrokenApplication.fail(UnknownPlaceholderInId.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "has the id '${app.unknown}'");
	}

	@Test
	void startWhenPlaceholderOfInjectionPointIsUnknownShouldNameIt(CapturedOutput output) {
		BrokenApplication.fail(UnknownPlaceholderInjected.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "@InformerSource on parameter 0",
				"has the fieldSelector '${app.unknown}'");
	}

	@Test
	void startWhenPlaceholderOfConditionIsUnknownShouldNameTheMethod(CapturedOutput output) {
		BrokenApplication.fail(UnknownPlaceholderInCondition.class);
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "@OnAdd method 'added' of @InformerHandler bean",
					"has the condition '${app.unknown}', which cannot be resolved")
			.doesNotContain("\tat ");
	}

	@Test
	void startWhenNamespaceIsNoneShouldSaySo(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.informers.namespaces=Not_One");
		assertThat(output).contains("APPLICATION FAILED TO START", "'kubernetes.informers.namespaces' is wrong",
				"'Not_One' is not the name of a namespace");
	}

	@Test
	void startWhenTokenIsInvalidShouldNotShowIt(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.client.url=http://localhost:1",
				"--kubernetes.client.token=s3c\nret");
		assertThat(output).contains("APPLICATION FAILED TO START", "'kubernetes.client.token' has a character")
			.doesNotContain("s3c");
	}

	@Test
	void startWhenNoClusterIsConfiguredShouldListWhereItLooked(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "No Kubernetes cluster is configured",
				"'kubernetes.client.url'", "'KUBECONFIG'", "/nonexistent/.kube/config",
				"kubernetes.informers.enabled=false");
	}

	@Test
	void startWhenKubeconfigDoesNotExistShouldNameIt(CapturedOutput output) {
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.client.kubeconfig=/nonexistent/config");
		assertThat(output).contains("APPLICATION FAILED TO START", "The kubeconfig '/nonexistent/config'",
				"the property 'kubernetes.client.kubeconfig'", "does not exist");
	}

	@Test
	void startWhenKubeconfigIsNoYamlShouldNotQuoteIt(CapturedOutput output, @TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("config"), "users: [ token: s3cret");
		BrokenApplication.fail(ValidHandler.class, "--KUBECONFIG=" + file);
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "The kubeconfig '" + file, "the environment variable 'KUBECONFIG'",
					"is not valid YAML (line 1")
			.doesNotContain("s3cret");
	}

	@Test
	void startWhenKubeconfigHasNotTheContextShouldListContexts(CapturedOutput output, @TempDir Path directory)
			throws Exception {
		Path file = Files.writeString(directory.resolve("config"), """
				apiVersion: v1
				kind: Config
				current-context: one
				contexts:
				- name: one
				  context: { cluster: one }
				clusters:
				- name: one
				  cluster: { server: "http://localhost:1" }
				users: []
				""");
		BrokenApplication.fail(ValidHandler.class, "--kubernetes.client.kubeconfig=" + file,
				"--kubernetes.client.context=two");
		assertThat(output).contains("APPLICATION FAILED TO START", "has no context 'two'; there are: 'one'");
	}

	@InformerHandler(id = "podHandler")
	static class ValidHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class StringParameter {

		@OnAdd
		void added(String pod) {
		}

	}

	@InformerHandler
	static class ReturnValue {

		@OnAdd
		String added(V1Pod pod) {
			return "";
		}

	}

	@InformerHandler
	static class TwoParametersForAdd {

		@OnAdd
		@OnUpdate
		void changed(V1Pod before, V1Pod after) {
		}

	}

	@InformerHandler
	static class TwoTypes {

		@OnAdd
		void added(V1Pod pod) {
		}

		@OnDelete
		void deleted(V1Node node) {
		}

	}

	@InformerHandler(V1ConfigMap.class)
	static class ContradictedType {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class NoType {

		@OnAdd
		void added(ResourceEvent<?> event) {
		}

	}

	@InformerHandler
	static class NoMethod {

		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class BothStyles implements ResourceEventHandler<V1Pod> {

		@Override
		@OnAdd
		public void onAdd(V1Pod pod) {
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class TwoMethods {

		@OnAdd
		void first(V1Pod pod) {
		}

		@OnAdd
		void second(ResourceEvent<V1Pod> event) {
		}

	}

	@InformerHandler
	static class InvalidCondition {

		@OnAdd(condition = "#event..")
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	static class PrototypeHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class UnknownType {

		@OnAdd
		void added(Gadget gadget) {
		}

	}

	static class UnknownTypeInjected {

		UnknownTypeInjected(Lister<Gadget> gadgets) {
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "unreadables")
	static class Unreadable extends Gadget {

		Runnable part;

	}

	@InformerHandler
	static class UnreadableType {

		@OnAdd
		void added(Unreadable unreadable) {
		}

	}

	static class UnreadableTypeInjected {

		UnreadableTypeInjected(Lister<Unreadable> unreadables) {
		}

	}

	static class UnreadableTypeAsked {

		UnreadableTypeAsked(Informers informers) {
			informers.informer(InformerSpec.of(Unreadable.class));
		}

	}

	static class RawLister {

		@SuppressWarnings("rawtypes")
		RawLister(Lister pods) {
		}

	}

	static class WildcardLister {

		WildcardLister(Lister<?> pods) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DuplicateIds {

		@Bean
		@InformerHandler(id = "my-pods")
		ValidHandler first() {
			return new ValidHandler();
		}

		@Bean
		@InformerHandler(id = "my_pods")
		ValidHandler second() {
			return new ValidHandler();
		}

	}

	@InformerHandler(id = "pods")
	static class InformerId {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "a/b")
	static class InvalidId {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(resync = "soon")
	static class InvalidDuration {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(namespaces = "web")
	static class NodeHandlerWithNamespace {

		@OnAdd
		void added(V1Node node) {
		}

	}

	@InformerHandler(namespaces = "${app.namespace:}")
	static class BlankNamespace {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class BlankNamespaceInjected {

		BlankNamespaceInjected(@InformerSource(namespaces = "${app.namespace:}") Lister<V1Pod> pods) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class FinalMethodConfiguration {

		@Bean
		FinalMethod finalMethod() {
			return new FinalMethod();
		}

	}

	@InformerHandler(id = "finalMethod")
	static class FinalMethod {

		@Async
		void other() {
		}

		@OnAdd
		final void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class FinalInterfaceMethodConfiguration {

		@Bean
		FinalInterfaceMethod<V1Pod> finalInterfaceMethod() {
			return new FinalInterfaceMethod<>();
		}

	}

	@InformerHandler(id = "finalInterfaceMethod")
	static class FinalInterfaceMethod<T extends KubernetesObject> implements ResourceEventHandler<T> {

		@Override
		public final void onAdd(T object) {
		}

		@Override
		@Async
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class LazyPrivateMethodConfiguration {

		@Bean
		PrivateMethod privateMethod() {
			return new PrivateMethod();
		}

	}

	@InformerHandler(id = "privateMethod")
	static class PrivateMethod {

		@Async
		void other() {
		}

		@OnAdd
		private void added(V1Pod pod) {
		}

	}

	@InformerHandler(labelSelector = "app=${app.unknown}")
	static class UnknownPlaceholder extends ValidHandler {

	}

	@InformerHandler(namespaces = "#{@nobody.name}")
	static class InvalidExpression extends ValidHandler {

	}

	@InformerHandler(resync = "#{T(java.lang.Integer).parseInt(environment['app.secret'])}")
	static class ThrowingExpression extends ValidHandler {

	}

	@InformerHandler(id = "${app.unknown}")
	static class UnknownPlaceholderInId extends ValidHandler {

	}

	@InformerHandler
	static class UnknownPlaceholderInCondition {

		@OnAdd(condition = "${app.unknown}")
		void added(V1Pod pod) {
		}

	}

	static class UnknownPlaceholderInjected {

		UnknownPlaceholderInjected(@InformerSource(fieldSelector = "${app.unknown}") Lister<V1Pod> pods) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class HiddenMethodConfiguration {

		@Bean
		Runnable hidden() {
			return new HiddenMethod();
		}

	}

	@InformerHandler(id = "hidden")
	static class HiddenMethod implements Runnable {

		@Override
		@Async
		public void run() {
		}

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
