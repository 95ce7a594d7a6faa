package dev.kubeinformer.test;

import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * JUnit extension that starts an {@link EmbeddedKubernetes} for a test class and its
 * nested classes. It {@linkplain EmbeddedKubernetes#reset() resets} the server before
 * each test, and closes it at the end. A reset also removes the objects that
 * {@code @BeforeAll} has created, except CustomResourceDefinitions.
 * <p>
 * Parameters of test methods, lifecycle methods and constructors may be the
 * {@code EmbeddedKubernetes}, the {@link ApiResources} of a resource such as
 * {@code ApiResources<V1Pod>}, and an {@link ApiClient} of the official client, which is
 * shut down with the server.
 * <p>
 * Tests with a Spring context use {@code @EmbeddedKubernetesTest} instead.
 * <p>
 * Register it with {@code @ExtendWith(EmbeddedKubernetesExtension.class)}, or with
 * settings as a static field: <pre class="code">
 * &#64;RegisterExtension
 * static EmbeddedKubernetesExtension kubernetes = EmbeddedKubernetesExtension.builder()
 * 	.server((server) -&gt; server.historyLimit(100))
 * 	.build();
 * </pre>
 * <p>
 * Test classes that run in parallel have separate servers. Test methods that run in
 * parallel share the server of their class, which is reset only when no other test of the
 * class is running. They see each other's objects, faults and requests, so each should
 * use its own namespaces and patterns.
 */
public final class EmbeddedKubernetesExtension
		implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

	// Name of a class in a module that depends on this one, so this class cannot refer to
	// it.
	private static final String SPRING_ANNOTATION = "dev.kubeinformer.spring.test.EmbeddedKubernetesTest";

	private final Consumer<? super EmbeddedKubernetes.Builder> settings;

	private final boolean reset;

	private volatile @Nullable TestServer latest;

	/**
	 * Creates an extension for {@code @ExtendWith}, whose server has the default
	 * settings.
	 */
	public EmbeddedKubernetesExtension() {
		this(builder());
	}

	private EmbeddedKubernetesExtension(Builder builder) {
		this.settings = builder.settings;
		this.reset = builder.reset;
	}

	/**
	 * Creates a builder of an extension.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the server of the test class, for tests without parameters. If test classes
	 * inherit the extension from one class and run in parallel, use parameters instead:
	 * this method cannot know from which test class it is called.
	 * @return the server
	 * @throws IllegalStateException if no test class is running
	 */
	public EmbeddedKubernetes api() {
		TestServer server = this.latest;
		if (server == null || server.isClosed()) {
			throw new IllegalStateException(
					"The embedded API exists only from @BeforeAll to @AfterAll; register the extension as a "
							+ "static field with @RegisterExtension");
		}
		return server.api();
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		server(context);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		server(context).begin(this.reset);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		server(context).end();
	}

	// A nested class gets the server of its outer class, because its store inherits from
	// the outer one.
	private TestServer server(ExtensionContext context) {
		refuseSpringTest(context);
		TestServer server = context.getStore(Namespace.create(EmbeddedKubernetesExtension.class, this))
			.computeIfAbsent(TestServer.class, (key) -> start(), TestServer.class);
		this.latest = server;
		return server;
	}

	private static void refuseSpringTest(ExtensionContext context) {
		Class<?> testClass = context.getRequiredTestClass();
		ReflectionSupport.tryToLoadClass(SPRING_ANNOTATION, testClass.getClassLoader())
			.toOptional()
			.filter(Class::isAnnotation)
			.map((annotation) -> annotation.asSubclass(Annotation.class))
			.flatMap((annotation) -> AnnotationSupport.findAnnotation(testClass, annotation,
					context.getEnclosingTestClasses()))
			.ifPresent((annotation) -> {
				throw new ExtensionConfigurationException(("Test class '%s' has @EmbeddedKubernetesTest and "
						+ "EmbeddedKubernetesExtension, which would start a second server that the application does "
						+ "not use. Remove the extension: the annotation resolves the same parameters.")
					.formatted(testClass.getName()));
			});
	}

	private TestServer start() {
		EmbeddedKubernetes.Builder builder = EmbeddedKubernetes.builder();
		this.settings.accept(builder);
		return new TestServer(builder.start());
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> type = parameter.getParameter().getType();
		return type == EmbeddedKubernetes.class || type == ApiClient.class || type == ApiResources.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		TestServer server = server(context);
		Class<?> type = parameter.getParameter().getType();
		if (type == ApiClient.class) {
			return server.client();
		}
		return (type == ApiResources.class) ? server.api().resources(model(parameter)) : server.api();
	}

	private static Class<? extends KubernetesObject> model(ParameterContext parameter) {
		Type type = parameter.getParameter().getParameterizedType();
		if (type instanceof ParameterizedType parameterized
				&& parameterized.getActualTypeArguments()[0] instanceof Class<?> model) {
			return model.asSubclass(KubernetesObject.class);
		}
		throw new IllegalArgumentException(
				"The parameter \"" + parameter.getParameter() + "\" must name its model, as ApiResources<V1Pod> does");
	}

	/**
	 * Builder of an extension.
	 */
	public static final class Builder {

		private Consumer<? super EmbeddedKubernetes.Builder> settings = (server) -> {
		};

		private boolean reset = true;

		private Builder() {
		}

		/**
		 * Sets the settings of the server.
		 * @param settings the function that changes the builder of the server
		 * @return this
		 */
		public Builder server(Consumer<? super EmbeddedKubernetes.Builder> settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Sets whether the server is reset before each test.
		 * @param enabled whether to reset it; on by default
		 * @return this
		 */
		public Builder resetBetweenTests(boolean enabled) {
			this.reset = enabled;
			return this;
		}

		/**
		 * Creates the extension.
		 * @return the extension
		 */
		public EmbeddedKubernetesExtension build() {
			return new EmbeddedKubernetesExtension(this);
		}

	}

}
