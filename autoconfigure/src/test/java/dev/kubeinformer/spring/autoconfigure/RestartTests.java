package dev.kubeinformer.spring.autoconfigure;

import java.beans.Introspector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application that devtools restart: in the same JVM, with its classes loaded
 * anew and those of the libraries not.
 */
class RestartTests {

	@Test
	@Tag("slow")
	@Timeout(value = 6, unit = TimeUnit.MINUTES)
	void restartedApplicationShouldUseItsNewClassesAndLeaveNothingOfTheOldOnes() throws Exception {
		// Soft references, as Spring's caches hold, are cleared by each collection.
		List<String> options = List.of("-XX:SoftRefLRUPolicyMSPerMB=0");
		try (ForkedApplication application = ForkedApplication.start(options, Restarter.class)) {
			assertThat(application.awaitExit()).as(() -> String.join("\n", application.output())).isZero();
			assertThat(application.output()).containsSubsequence("run 1: Widget of RestartLoader 1",
					"no thread of it left", "run 2: Widget of RestartLoader 2", "no thread of it left",
					"no class of them left");
		}
	}

	/** Restarts the application twice, like devtools. */
	public static final class Restarter {

		private Restarter() {
		}

		public static void main(String[] args) throws Exception {
			try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
				kubernetes.serve("example.com", "v1", "widgets", "Widget", true);
				kubernetes.resources(RestartedApplication.Widget.class, "example.com", "v1", "widgets")
					.create(new RestartedApplication.Widget("w1"));
				List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
				for (int run = 1; run <= 2; run++) {
					loaders.add(run(run, kubernetes.url()));
					awaitThreads();
				}
				awaitGone(loaders);
			}
			System.exit(0);
		}

		private static WeakReference<ClassLoader> run(int run, String url) throws Exception {
			ClassLoader loader = new RestartLoader("RestartLoader " + run);
			Thread main = new Thread(() -> {
				try {
					Runnable application = (Runnable) Class.forName(RestartedApplication.class.getName(), true, loader)
						.getConstructor(int.class, String.class)
						.newInstance(run, url);
					application.run();
				}
				catch (ReflectiveOperationException ex) {
					throw new IllegalStateException(ex);
				}
			}, "restartedMain");
			main.setContextClassLoader(loader);
			main.start();
			main.join();
			return new WeakReference<>(loader);
		}

		private static void awaitThreads() {
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().startsWith("informer")
						|| thread.getName().startsWith("OkHttp http")));
			System.out.println("no thread of it left");
		}

		private static void awaitGone(List<WeakReference<ClassLoader>> loaders) {
			// A minute: so long threads that all HTTP clients of the JVM share wait for
			// work.
			await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofSeconds(1)).until(() -> {
				ResolvableType.clearCache();
				AnnotationUtils.clearCache();
				ReflectionUtils.clearCache();
				Introspector.flushCaches();
				System.gc();
				return loaders.stream().allMatch((loader) -> loader.get() == null);
			});
			System.out.println("no class of them left");
		}

	}

	/**
	 * Loader of the classes of the application before those of its parent.
	 */
	static final class RestartLoader extends ClassLoader {

		RestartLoader(String name) {
			super(name, RestartTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith(RestartedApplication.class.getName())) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : define(name);
			}
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream content = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = content.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
