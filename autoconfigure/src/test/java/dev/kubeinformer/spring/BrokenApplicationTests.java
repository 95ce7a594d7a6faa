package dev.kubeinformer.spring;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the report of an application that cannot start, word by word: the value, its
 * place and the advice.
 */
@ExtendWith(OutputCaptureExtension.class)
class BrokenApplicationTests {

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private static final String WRITE_THE_CLASS = "Write the model class as type argument, such as 'Lister<V1Pod>' or "
			+ "'Lister<Metadata<V1Pod>>'. " + "If the class is known only at run time, use 'Informers'. "
			+ "A bean of your own is preferred only if its bean method declares the full generic type.";

	private static final String CORRECT_VALUE = "Correct the value, or the properties that its placeholders name.";

	@Test
	void rawType(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, RawLister.class)).isEqualTo(new BrokenApplication(
				"Parameter 0 of the constructor of '%s' has the type '%s<?>', which does not determine the resource"
					.formatted(RawLister.class.getName(), Lister.class.getName()),
				WRITE_THE_CLASS));
	}

	@Test
	void openType(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, OpenInformer.class))
			.isEqualTo(
					new BrokenApplication(
							"Field 'objects' of '%s' has the type '%s<?>', which does not determine the resource"
								.formatted(OpenInformer.class.getName(), SharedIndexInformer.class.getName()),
							WRITE_THE_CLASS));
	}

	@Test
	void typeOfAllObjects(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, AnyLister.class))
			.isEqualTo(
					new BrokenApplication(
							("Parameter 0 of method 'reader' of '%s' has the type '%s<%s>', "
									+ "which does not determine the resource")
								.formatted(AnyLister.class.getName(), Informer.class.getName(),
										KubernetesObject.class.getName()),
							WRITE_THE_CLASS));
	}

	@Test
	void userBeanOfAnOpenType(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, OpenBean.class)).isEqualTo(new BrokenApplication(
				("Parameter 0 of method reader in %s matches the beans 'mine', "
						+ "whose types do not determine their resource")
					.formatted(OpenBean.class.getName()),
				"Declare the full generic type as return type of the bean method, such as 'Lister<V1Pod>': "
						+ "it is then preferred where it matches, and ignored elsewhere."));
	}

	@ParameterizedTest
	@ValueSource(classes = { GadgetHandler.class, GadgetInterfaceHandler.class })
	void handledClassWithoutResource(Class<?> handler, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, handler);
		assertThat(report.description())
			.isEqualTo("%s handles a class without resource: Class '%s' does not map to a Kubernetes resource: %s"
				.formatted(bean(handler), Gadget.class.getName(), "it is not a listable model of the official client, "
						+ "and does not have @KubernetesResource(group, version, plural)"));
		assertThat(report.action()).isEqualTo(annotate());
	}

	@ParameterizedTest
	@ValueSource(
			classes = { GadgetConstructor.class, GadgetField.class, GadgetBeanParameter.class, GadgetLookUp.class })
	void injectedClassWithoutResource(Class<?> reader, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, reader);
		assertThat(report.description())
			.contains(" in " + reader.getName() + ": Class '" + Gadget.class.getName() + "' ");
		assertThat(report.action()).isEqualTo(annotate());
	}

	private static String annotate() {
		return ("If it is a custom resource, annotate '%s' with "
				+ "@KubernetesResource(group = \"...\", version = \"...\", plural = \"...\"), "
				+ "as its CustomResourceDefinition names them. Otherwise use a model class of the official client.")
			.formatted(Gadget.class.getName());
	}

	@ParameterizedTest
	@ValueSource(classes = { MisnamedHandler.class, MisnamedConstructor.class })
	void annotationOfTheClassThatNamesNoResource(Class<?> user, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, user);
		assertThat(report.description()).contains(user.getName())
			.endsWith(
					("Class '%s' does not map to a Kubernetes resource: its @KubernetesResource has an invalid plural 'a/b': "
							+ "use a name without '/'")
						.formatted(Misnamed.class.getName()));
		assertThat(report.action())
			.isEqualTo("Correct the annotation: group, version and plural are those of the CustomResourceDefinition.");
	}

	@Test
	void modelThatCannotBeListed(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, ScaleHandler.class).action())
			.isEqualTo("Use the class of a resource that can be listed and watched, such as V1Pod; 'V1Scale' cannot.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					NoParameter    | void added()                        | OnAdd    |
					ThreePods      | void changed(V1Pod, V1Pod, V1Pod)   | OnUpdate |
					PodsOfAList    | void added(List<V1Pod>)             | OnAdd    |
					PodsOfAnArray  | void added(V1Pod[])                 | OnAdd    |
					FlagOfUpdate   | void changed(V1Pod, boolean)        | OnUpdate |
					FlagFirst      | void deleted(boolean, V1Pod)        | OnDelete |
					BothOfDelete   | void deleted(V1Pod, V1Pod)          | OnDelete |
					EventAndObject | void added(ResourceEvent<V1Pod>, V1Pod) | OnAdd |
					Returning      | private static Integer added(V1Pod) | OnAdd    | : it has a return value, which would be ignored
					""")
	void methodThatCannotBeCalled(String type, String method, String annotation, String why, CapturedOutput output)
			throws Exception {
		Class<?> handler = Class.forName(BrokenApplicationTests.class.getName() + "$" + type);
		BrokenApplication report = BrokenApplication.start(output, handler);
		assertThat(report.description()).isEqualTo("%s has the method '%s', which cannot be called as a @%s method%s"
			.formatted(bean(handler), method, annotation, (why != null) ? why : ""));
		assertThat(report.action()).isEqualToNormalizingNewlines("""
				Give the method the return type 'void', and one of these parameter lists, where T is the model class:
				  @OnAdd:    (T) or (ResourceEvent<T>)
				  @OnUpdate: (T), (T before, T after) or (ResourceEvent<T>)
				  @OnDelete: (T), (T, boolean finalStateUnknown) or (ResourceEvent<T>)""");
	}

	@Test
	void methodOfASuperclassThatCannotBeCalled(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, Inheriting.class).description())
			.contains("has the method 'void added() of %s',".formatted(NoParameter.class.getName()));
	}

	@Test
	void handlerWithoutType(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, OpenHandler.class)).isEqualTo(new BrokenApplication(
				bean(OpenHandler.class) + " does not say which resource it handles",
				"Name the model class, such as @InformerHandler(V1Pod.class), or make it the parameter of a method."));
	}

	@Test
	void handlerOfTheOfficialInterfaceWithoutType(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, OpenInterfaceHandler.class)).isEqualTo(new BrokenApplication(
				bean(OpenInterfaceHandler.class) + " does not say which resource it handles",
				"Name the model class as type argument of 'ResourceEventHandler' or in @InformerHandler(V1Pod.class)."));
	}

	@ParameterizedTest
	@ValueSource(classes = { PodAndNode.class, PodBecomesNode.class, PodAsNode.class, PodInterfaceAsNode.class })
	void handlerOfTwoTypes(Class<?> handler, CapturedOutput output) {
		assertThat(BrokenApplication.start(output, handler)).isEqualTo(new BrokenApplication(
				"%s handles more than one type: '%sV1Node' and '%sV1Pod'".formatted(bean(handler), MODELS, MODELS),
				"Write one @InformerHandler for each type; a handler has one informer, queue and sync."));
	}

	@Test
	void idOfAnotherHandler(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, TwoHandlers.class);
		assertThat(report.description()).isEqualTo(("@InformerHandler bean 'second' (%1$s) has the id 'my_pods', "
				+ "which is taken by @InformerHandler bean 'first' (%1$s); case, '-' and '_' are ignored")
			.formatted(PodHandler.class.getName()));
		assertThat(report.action()).startsWith("Give the handler another id: @InformerHandler(id = \"...\").");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			podHandle  | Did you mean 'podHandler'?
			pdohandler | Did you mean 'podHandler'?
			nodes      |
			""")
	void propertyOfNoHandler(String key, String hint, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodHandler.class,
				"--kubernetes.informers.handlers.%s.resync=5s".formatted(key));
		assertThat(report).isEqualTo(new BrokenApplication(
				"The configuration has 'kubernetes.informers.handlers.%s', but no handler has the id '%s'"
					.formatted(key, key),
				((hint != null) ? hint + " " : "")
						+ "Correct the key to the id of a handler, or remove it. The handlers are 'podHandler'. "
						+ "The id is set in the annotation; by default it is the part of the bean name after its last dot."));
	}

	@Test
	void propertyOfAHandlerWhereThereIsNone(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, Object.class, "--kubernetes.informers.handlers.podHandler.resync=5s")
			.action())
			.isEqualTo("Remove the entry, or make sure that the handler is a bean: "
					+ "the application has no @InformerHandler.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			handlers.podHandler.label-selector=app in ( | is wrong. Invalid label selector 'app in (' at position 9: \
			expected the value of a label, which has up to 63 letters, digits, '-', '_' and '.', found the end
			resources.pods.label-selector=a==b=c        | is wrong. Invalid label selector 'a==b=c' at position 5: \
			expected ',' or the end, found '='
			handlers.podHandler.field-selector=nodeName | is wrong. Invalid field selector 'nodeName': \
			'nodeName' is not of the form field=value or field!=value; put '\\' before '=', ',' and '\\' in a value
			handlers.podHandler.namespaces=web,*        | is wrong. '*' among the namespaces [web, *] \
			means all of the cluster already; write '*' alone, or only names
			namespaces=@current,Web                     | is wrong. 'Web' is not the name of a namespace, \
			which has up to 63 lower-case letters, digits and '-'
			namespaces=${app.namespace:}                | is '${app.namespace:}'; it resolves to an empty or blank \
			namespace; for all of the cluster write '*'
			handlers.podHandler.resync=-5s              | is '-5s'; it must be zero or between 1ms and 3650d
			resources.pods.resync=4000d                 | is '4000d'; it must be zero or between 1ms and 3650d
			""")
	void invalidProperty(String property, String problem, CapturedOutput output) {
		String key = "kubernetes.informers." + property.substring(0, property.indexOf('='));
		assertThat(
				BrokenApplication.start(output, PodHandler.class, "--kubernetes.informers." + property))
			.isEqualTo(new BrokenApplication("'%s' %s".formatted(key, problem),
					("Correct the property '%s', or remove it for its default. It may come from a file, "
							+ "an environment variable, a system property or an argument.")
						.formatted(key)));
	}

	@Test
	void invalidDurationOfAProperty(CapturedOutput output) {
		assertThat(BrokenApplication
			.start(output, PodHandler.class, "--kubernetes.informers.handlers.podHandler.resync=soon")
			.description()).contains("Property: kubernetes.informers.handlers.podhandler.resync", "Value: \"soon\"",
					"Origin: \"kubernetes.informers.handlers.podHandler.resync\"", "'soon' is not a valid duration");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			app.resync=soon            | the resync 'soon'; a duration such as '30s' or '10m' is needed
			app.resync=-5s             | the resync '-5s'; zero or a duration between 1ms and 3650d is needed
			app.resync=3651d           | the resync '3651d'; zero or a duration between 1ms and 3650d is needed
			app.concurrency=0          | the concurrency '0'; a whole number from 1 on is needed
			app.concurrency=four       | the concurrency 'four'; a whole number from 1 on is needed
			app.auto-startup=yes       | the autoStartup 'yes'; 'true' or 'false' is needed
			app.label-selector=app in( | the wrong labelSelector. Invalid label selector 'app in(' at position 8: \
			expected the value of a label, which has up to 63 letters, digits, '-', '_' and '.', found the end
			app.field-selector=a=b=c   | the wrong fieldSelector. Invalid field selector 'a=b=c': \
			'a=b=c' is not of the form field=value or field!=value; put '\\' before '=', ',' and '\\' in a value
			app.namespaces=*,web       | the wrong namespaces. '*' among the namespaces [*, web] \
			means all of the cluster already; write '*' alone, or only names
			app.namespaces=Web         | the wrong namespaces. 'Web' is not the name of a namespace, \
			which has up to 63 lower-case letters, digits and '-'
			app.namespaces=            | the namespaces '${app.namespaces:web}', which resolves to an \
			empty value; for all of the cluster write '*'
			""")
	void invalidAttribute(String property, String problem, CapturedOutput output) {
		assertThat(BrokenApplication.start(output, ConfiguredHandler.class, "--" + property)).isEqualTo(
				new BrokenApplication("%s has %s".formatted(bean(ConfiguredHandler.class), problem), CORRECT_VALUE));
	}

	@Test
	void invalidSelectorOfAnInjectionPoint(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, BadSource.class)).isEqualTo(new BrokenApplication(
				("@InformerSource on field 'pods' of '%s' has the wrong labelSelector. Invalid label selector '!' "
						+ "at position 2: expected a key, found the end")
					.formatted(BadSource.class.getName()),
				CORRECT_VALUE));
	}

	@Test
	void invalidNamespaceOfAnInjectionPoint(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, BadNamespace.class).description())
			.isEqualTo(("@InformerSource on parameter 0 of the constructor of '%s' has the wrong namespaces. "
					+ "'Web' is not the name of a namespace, which has up to 63 lower-case letters, digits and '-'")
				.formatted(BadNamespace.class.getName()));
	}

	@ParameterizedTest
	@CsvSource({ "#pod.metadata.name == 'a',There is no '#pod'", "#isNew(#object),There is no '#isNew(#object)'",
			"#event.initial() and,EL1042E: Problem parsing right operand" })
	void invalidCondition(String condition, String problem, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, ConditionalHandler.class,
				"--app.condition=" + condition);
		assertThat(report).isEqualTo(new BrokenApplication(
				("%s has the method 'void added(V1Pod)', whose condition '%s' is not a SpEL expression "
						+ "over #event and #object: %s")
					.formatted(bean(ConditionalHandler.class), condition, problem),
				"Correct the condition, such as \"#event.generationChanged()\" or "
						+ "\"#object.metadata.namespace == 'web'\"."));
	}

	@ParameterizedTest
	@ValueSource(classes = { NodeHandler.class, NodeSource.class })
	void namespacesOfAClusterScopedResource(Class<?> user, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, user);
		assertThat(report.description()).contains(user.getName())
			.endsWith(" names the namespaces [web], but 'nodes' are cluster-scoped: they are in no namespace");
		assertThat(report.action())
			.isEqualTo("Remove the namespaces, from the annotation or from what the configuration says about its id.");
	}

	@Test
	void currentNamespaceWhereThereIsNone(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, PodHandler.class, "--kubernetes.informers.namespaces=@current,web"))
			.isEqualTo(new BrokenApplication(
					bean(PodHandler.class)
							+ ": the namespace '@current' needs a kubeconfig or the service account of a pod",
					"Write the name of the namespace instead of '@current', or set 'kubernetes.client.kubeconfig'."));
	}

	@Test
	void noCluster(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, PodHandler.class)).isEqualTo(new BrokenApplication(
				"No Kubernetes cluster is configured. Looked for: the property 'kubernetes.client.url', "
						+ "the property 'kubernetes.client.kubeconfig', the environment variable 'KUBECONFIG', "
						+ "the file '/nonexistent/.kube/config', the service account of a pod",
				"Set 'kubernetes.client.url' or 'kubernetes.client.kubeconfig', or define an ApiClient bean. "
						+ "To start without a cluster, set 'kubernetes.informers.enabled=false' "
						+ "or 'kubernetes.informers.auto-startup=false'."));
	}

	@Test
	void unreadableKubeconfig(CapturedOutput output, @TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("config"), "users: [ token: s3cret");
		BrokenApplication report = BrokenApplication.start(output, PodHandler.class,
				"--kubernetes.client.kubeconfig=" + file);
		assertThat(report.description()).startsWith(
				"The kubeconfig '%s' (from the property 'kubernetes.client.kubeconfig') is not valid YAML (line 1"
					.formatted(file));
		assertThat(report.action()).isEqualTo(("Correct it there. 'kubernetes.client.kubeconfig' may "
				+ "name another one; 'kubectl config view --kubeconfig=%s' shows what kubectl makes of it.")
			.formatted(file));
		assertThat(output).doesNotContain("s3cret");
	}

	@Test
	void syncTimeoutWhenForbidden(CapturedOutput output) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.faults().on(Requests.any()).forbid();
			BrokenApplication report = BrokenApplication.start(output, PodsAndNodes.class,
					"--kubernetes.client.url=" + kubernetes.url(), "--kubernetes.informers.startup.wait-for-sync=true",
					"--kubernetes.informers.startup.timeout=4s");
			assertThat(report.description()).isEqualToNormalizingNewlines(
					"""
							Informers that are not synced after 4s:
							  'pods' is FORBIDDEN: HTTP 403: pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope
							  'nodes' is FORBIDDEN: HTTP 403: nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope""");
			assertThat(report.action()).isEqualToNormalizingNewlines(
					"""
							Grant a ClusterRole with apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] (HTTP 403), or authenticate as someone who has it.
							Grant a ClusterRole with apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] (HTTP 403), or authenticate as someone who has it.""");
		}
	}

	@Test
	void syncTimeoutWhenNobodyListens(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodsAndNodes.class,
				"--kubernetes.client.url=http://localhost:1", "--kubernetes.informers.startup.wait-for-sync=true",
				"--kubernetes.informers.startup.timeout=4s");
		assertThat(report.description()).startsWith("Informers that are not synced after 4s:")
			.contains("  'pods' is SYNCING: Failed to connect to localhost", "  'nodes' is SYNCING: Failed to connect");
		assertThat(report.action()).isEqualToNormalizingNewlines(
				"""
						Make sure that the API server is reachable from here. Its address comes from 'kubernetes.client.url', or from the kubeconfig or the pod of the application.
						Raise 'kubernetes.informers.startup.timeout', or set 'kubernetes.informers.startup.wait-for-sync=false' and let readiness wait.""");
	}

	private static String bean(Class<?> handler) {
		return "@InformerHandler bean 'brokenApplicationTests.%s' (%s)".formatted(handler.getSimpleName(),
				handler.getName());
	}

	static class RawLister {

		@SuppressWarnings("rawtypes")
		RawLister(Lister pods) {
		}

	}

	static class OpenInformer<T extends KubernetesObject> {

		@Autowired
		private SharedIndexInformer<T> objects;

	}

	@Configuration(proxyBeanMethods = false)
	static class AnyLister {

		@Bean
		String reader(ObjectProvider<Informer<KubernetesObject>> objects) {
			return objects.getObject().id();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OpenBean {

		@Bean
		@SuppressWarnings("rawtypes")
		Lister mine(Informers informers) {
			return informers.lister(V1Pod.class);
		}

		@Bean
		String reader(Lister<V1Pod> pods) {
			return "";
		}

	}

	@InformerHandler
	static class GadgetHandler {

		@OnAdd
		void added(Gadget gadget) {
		}

	}

	abstract static class InterfaceHandler<T extends KubernetesObject> implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
		}

		@Override
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class GadgetInterfaceHandler extends InterfaceHandler<Gadget> {

	}

	static class GadgetConstructor {

		GadgetConstructor(Lister<Gadget> gadgets) {
		}

	}

	static class GadgetField {

		@Autowired
		private SharedIndexInformer<Gadget> gadgets;

	}

	@Configuration(proxyBeanMethods = false)
	static class GadgetBeanParameter {

		@Bean
		String reader(Lister<Gadget> gadgets) {
			return "";
		}

	}

	static class GadgetLookUp {

		GadgetLookUp(Informers informers) {
			informers.lister(Gadget.class);
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "a/b")
	static class Misnamed extends Gadget {

	}

	@InformerHandler
	static class MisnamedHandler {

		@OnAdd
		void added(Misnamed object) {
		}

	}

	static class MisnamedConstructor {

		MisnamedConstructor(Lister<Misnamed> objects) {
		}

	}

	@InformerHandler
	static class ScaleHandler {

		@OnAdd
		void added(V1Scale scale) {
		}

	}

	@InformerHandler
	static class NoParameter {

		@OnAdd
		void added() {
		}

	}

	@InformerHandler
	static class Inheriting extends NoParameter {

	}

	@InformerHandler
	static class ThreePods {

		@OnUpdate
		void changed(V1Pod before, V1Pod between, V1Pod after) {
		}

	}

	@InformerHandler
	static class PodsOfAList {

		@OnAdd
		void added(List<V1Pod> pods) {
		}

	}

	@InformerHandler
	static class PodsOfAnArray {

		@OnAdd
		void added(V1Pod... pods) {
		}

	}

	@InformerHandler
	static class FlagOfUpdate {

		@OnUpdate
		void changed(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class FlagFirst {

		@OnDelete
		void deleted(boolean finalStateUnknown, V1Pod pod) {
		}

	}

	@InformerHandler
	static class BothOfDelete {

		@OnDelete
		void deleted(V1Pod before, V1Pod after) {
		}

	}

	@InformerHandler
	static class EventAndObject {

		@OnAdd
		void added(ResourceEvent<V1Pod> event, V1Pod pod) {
		}

	}

	@InformerHandler
	static class Returning {

		@OnAdd
		private static Integer added(V1Pod pod) {
			return 0;
		}

	}

	@InformerHandler
	static class OpenHandler {

		@OnAdd
		void added(ResourceEvent<?> event) {
		}

	}

	@InformerHandler
	static class OpenInterfaceHandler<T extends KubernetesObject> extends InterfaceHandler<T> {

	}

	@InformerHandler
	static class PodAndNode {

		@OnAdd
		void added(V1Pod pod) {
		}

		@OnDelete
		void deleted(ResourceEvent<V1Node> event) {
		}

	}

	@InformerHandler
	static class PodBecomesNode {

		@OnUpdate
		void changed(V1Pod before, V1Node after) {
		}

	}

	@InformerHandler(V1Node.class)
	static class PodAsNode {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(V1Node.class)
	static class PodInterfaceAsNode extends InterfaceHandler<V1Pod> {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoHandlers {

		@Bean
		@InformerHandler(id = "my-pods")
		PodHandler first() {
			return new PodHandler();
		}

		@Bean
		@InformerHandler(id = "my_pods")
		PodHandler second() {
			return new PodHandler();
		}

	}

	@InformerHandler(namespaces = "${app.namespaces:web}", labelSelector = "${app.label-selector:}",
			fieldSelector = "${app.field-selector:}", resync = "${app.resync:}", concurrency = "${app.concurrency:}",
			autoStartup = "${app.auto-startup:}")
	static class ConfiguredHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class ConditionalHandler {

		@OnAdd(condition = "${app.condition}")
		void added(V1Pod pod) {
		}

	}

	static class BadSource {

		@Autowired
		@InformerSource(labelSelector = "!")
		private Lister<V1Pod> pods;

	}

	static class BadNamespace {

		BadNamespace(@InformerSource(namespaces = "Web") Lister<V1Pod> pods) {
		}

	}

	@InformerHandler(namespaces = "web")
	static class NodeHandler {

		@OnAdd
		void added(V1Node node) {
		}

	}

	static class NodeSource {

		NodeSource(@InformerSource(namespaces = "web") Informer<V1Node> nodes) {
		}

	}

	static class PodsAndNodes {

		PodsAndNodes(Lister<V1Pod> pods, Lister<V1Node> nodes) {
		}

	}

}
