package dev.kubeinformer.docs;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;
import org.testcontainers.junit.jupiter.Testcontainers;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Code of a page that runs: its beans in a context, its tests by JUnit.
 */
class RunningPage implements AutoCloseable {

	private final JavaPage page;

	private final URLClassLoader classes;

	RunningPage(String path) throws IOException {
		try (PageCompiler compiler = new PageCompiler()) {
			this.page = new JavaPage(Page.of(path), compiler).compile();
		}
		this.classes = this.page.classLoader();
	}

	RunningPage(Page page, PageCompiler compiler) throws IOException {
		this.page = new JavaPage(page, compiler).compile();
		this.classes = this.page.classLoader();
	}

	/**
	 * A context with beans of the page, named like their classes.
	 * @param kubernetes the default cluster
	 * @param types the simple names of classes of the page
	 */
	ApplicationContextRunner runner(EmbeddedKubernetes kubernetes, String... types) {
		ApplicationContextRunner runner = new ApplicationContextRunner().withClassLoader(this.classes)
			.withUserConfiguration(AutoConfigured.class)
			.withPropertyValues("kubernetes.client.url=" + kubernetes.url());
		for (String type : types) {
			runner = runner.withBean(StringUtils.uncapitalize(type), type(type));
		}
		return runner;
	}

	/**
	 * The configuration with the bean methods of a block.
	 * @param code what the block has
	 */
	Class<?> configuration(String code) {
		return load(this.page.blockWith(code));
	}

	/**
	 * Runs the statements of a block.
	 * @param code what the block has
	 * @param given the values of what its context declares
	 */
	void run(String code, Map<String, Object> given) throws Exception {
		Class<?> type = load(this.page.blockWith(code));
		for (Map.Entry<String, Object> each : given.entrySet()) {
			ReflectionTestUtils.setField(load(this.page.contextOf(type.getName())), each.getKey(), each.getValue());
		}
		Method run = ReflectionUtils.findMethod(type, "run");
		ReflectionUtils.makeAccessible(run);
		try {
			run.invoke(BeanUtils.instantiateClass(type));
		}
		catch (InvocationTargetException ex) {
			throw (Exception) ex.getTargetException();
		}
	}

	/**
	 * Runs the tests of the page.
	 * @return what happened
	 */
	TestExecutionSummary test() {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.classes);
		try {
			LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
				.selectors(tests().stream().map(DiscoverySelectors::selectClass).toList())
				.build();
			SummaryGeneratingListener summary = new SummaryGeneratingListener();
			LauncherFactory.create().execute(request, summary);
			return summary.getSummary();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/**
	 * The classes with tests, but those that need Docker.
	 */
	List<? extends Class<?>> tests() {
		return this.page.classes()
			.stream()
			.filter((name) -> name.endsWith("Tests"))
			.map(this::load)
			.filter((type) -> !type.isAnnotationPresent(Testcontainers.class))
			.toList();
	}

	static String failures(TestExecutionSummary summary) {
		StringWriter text = new StringWriter();
		summary.printFailuresTo(new PrintWriter(text));
		return text.toString();
	}

	/**
	 * A class of the page, by its simple name.
	 */
	Class<?> type(String name) {
		try {
			return load(this.page.find(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the result of a method of one of the page's beans. */
	@SuppressWarnings("unchecked")
	<T> T call(ApplicationContext context, String type, String method, Object... arguments) {
		return (T) ReflectionTestUtils.invokeMethod(context.getBean(type(type)), method, arguments);
	}

	private Class<?> load(String name) {
		return ClassUtils.resolveClassName(name, this.classes);
	}

	@Override
	public void close() throws IOException {
		this.classes.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

}
