package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;

import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the console in Chromium, of an application that runs. The pictures are in
 * {@code target/screenshots}.
 */
@RequiresBrowser
class ConsoleBrowserTests {

	private static final String POD_HANDLER = "[data-id='podHandler'] ";

	private static EmbeddedKubernetes kubernetes;

	private static ConsoleApplication application;

	private static Browser browser;

	@BeforeAll
	static void start() {
		kubernetes = EmbeddedKubernetes.start();
		Workload.fill(kubernetes);
		application = ConsoleApplication.run(WebApplicationType.SERVLET, Workload.BEANS,
				"kubernetes.client.url=" + kubernetes.url(), "spring.application.name=shop-front",
				"kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=shop",
				"kubernetes.informers.retry.delay=60s", ConsoleApplication.WRITABLE);
		browser = Browser.start();
	}

	@AfterAll
	static void stop() {
		browser.close();
		application.close();
		kubernetes.close();
	}

	@BeforeEach
	void openConsole() {
		browser.resize(1280, 1000);
		browser.prefer("light");
		browser.open(application.url("/actuator/informersconsole"));
		await().untilAsserted(() -> {
			assertThat(browser.texts("[data-section='informers'] .ic-state")).hasSize(3).containsOnly("live");
			assertThat(browser.texts("[data-section='leader'] .ic-state")).containsExactly("leading");
		});
	}

	@AfterEach
	void consoleOfTheBrowserShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void everythingThatRunsShouldBeShown() throws IOException {
		await().untilAsserted(() -> {
			assertThat(browser.texts(".ic-failing li")).singleElement()
				.asString()
				.startsWith("shop/broken: IllegalStateException, failed ");
			assertThat(browser.text(POD_HANDLER + "[data-field='handled']")).isEqualTo("12");
		});
		assertThat(browser.texts(".ic-id")).contains("pods", "configmaps", "services", "podHandler", "configMapHandler",
				"serviceReconciler", "Lease shop/shop-front");
		assertThat(browser.text("[data-id='pods'] [data-field='objects']")).isEqualTo("12");
		assertThat(browser.text(".ic-tiles [data-field='informers']")).isEqualTo("3 of 3");
		assertThat(browser.text(".ic-problems")).contains("serviceReconciler").contains("1 key fails.");
		assertThat(browser.<String>run("return document.title")).isEqualTo("(1) Informers of shop-front");
		assertThat(browser.texts("body")).noneMatch((text) -> text.contains("secret words"));
		for (String theme : List.of("light", "dark")) {
			browser.prefer(theme);
			for (int width : List.of(1280, 390)) {
				browser.resize(width, 1000);
				browser.screenshot("console-%s-%d".formatted(theme, width));
				assertThat(browser.violations()).isEmpty();
				assertThat(browser.<Long>run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
			}
		}
	}

	@Test
	void handlerShouldBePausedAndResumedByKeyboardOnly() {
		browser.tabTo(POD_HANDLER + "[data-action='PAUSE']");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text(".ic-announce")).isEqualTo("podHandler paused."));
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isTrue();
		await().untilAsserted(() -> assertThat(browser.text(POD_HANDLER + ".ic-state")).isEqualTo("paused"));
		// the focus is where it was, on what is now the way back
		assertThat(browser.<String>run("return document.activeElement.dataset.action")).isEqualTo("RESUME");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text(POD_HANDLER + ".ic-state")).isEqualTo("running"));
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isFalse();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

}
