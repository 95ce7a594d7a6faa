package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.fixtures.browser.RequiresBrowser;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the console in Chromium, of an application that runs. The pictures are in
 * {@code target/screenshots}.
 */
@RequiresBrowser
@Tag("slow")
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
				"kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=default",
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
	void everythingThatRunsShouldBeShown() {
		await().untilAsserted(() -> {
			assertThat(browser.texts(".ic-failing li")).singleElement()
				.asString()
				.startsWith("shop/broken: IllegalStateException, failed ");
			assertThat(browser.text(POD_HANDLER + "[data-field='handled']")).isNotEqualTo("0");
		});
		assertThat(browser.texts(".ic-id")).contains("pods", "configmaps", "services", "podHandler", "configMapHandler",
				"serviceReconciler", "Lease default/shop-front");
		await()
			.untilAsserted(() -> assertThat(browser.text("[data-id='pods'] [data-field='objects']")).isEqualTo("12"));
		assertThat(browser.text(".ic-tiles [data-field='informers']")).isEqualTo("3 of 3");
		assertThat(browser.text(".ic-problems")).contains("serviceReconciler").contains("1 key fails.");
		assertThat(browser.<String>run("return document.title")).isEqualTo("(1) Informers of shop-front");
		assertThat(browser.texts("body")).noneMatch((text) -> text.contains("secret words"));
		assertThat(browser.violations()).isEmpty();
	}

	@Test
	@Tag("slow")
	void liveConsoleShouldBeUsableInEveryWidthAndTheme() throws IOException {
		await().untilAsserted(() -> assertThat(browser.texts(".ic-failing li")).hasSize(1));
		browser.assertUsable("console");
	}

	@Test
	void handlerShouldBePausedAndResumedByKeyboardOnly() {
		browser.tabTo(POD_HANDLER + "[data-action='PAUSE']");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text(".ic-announce")).isEqualTo("podHandler paused."));
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isTrue();
		await().untilAsserted(() -> assertThat(browser.text(POD_HANDLER + ".ic-state")).isEqualTo("paused"));
		// The focus is where it was, on the button for the way back.
		assertThat(browser.<String>run("return document.activeElement.dataset.action")).isEqualTo("RESUME");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text(POD_HANDLER + ".ic-state")).isEqualTo("running"));
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isFalse();
	}

	@Test
	void stopShouldAskFirstAndGiveTheFocusBack() {
		String handler = "[data-id='configMapHandler'] ";
		browser.tabTo(handler + "[data-action='STOP']");
		browser.press(Keys.ENTER);
		assertThat(browser.accessibilityTree()).contains("dialog Stop configMapHandler?");
		assertThat(browser.violations()).isEmpty();
		browser.press(Keys.ESCAPE);
		assertThat(browser.<String>run("return document.activeElement.dataset.action")).isEqualTo("STOP");
		assertThat(browser.text(handler + ".ic-state")).isEqualTo("running");
		browser.press(Keys.ENTER);
		browser.tabTo("dialog [type='submit']");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> {
			assertThat(browser.text(handler + ".ic-state")).isEqualTo("stopped");
			assertThat(browser.text(handler + ".ic-result")).startsWith("configMapHandler stopped");
			assertThat(browser.<String>run("return document.activeElement.dataset.action")).isEqualTo("START");
		});
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text(handler + ".ic-state")).isEqualTo("running"));
	}

	@Test
	void reconcilerShouldBeTriggeredForTheKeyThatIsWritten() {
		Workload.ServiceReconciler reconciler = application.bean(Workload.ServiceReconciler.class);
		await().until(() -> reconciler.seen.contains("checkout"));
		reconciler.seen.clear();
		browser.tabTo("[data-id='serviceReconciler'] [data-action='TRIGGER']");
		browser.press(Keys.ENTER);
		browser.press("shop/checkout", Keys.ENTER);
		await().until(() -> reconciler.seen.contains("checkout"));
		await().untilAsserted(() -> assertThat(browser.text("[data-id='serviceReconciler'] .ic-result"))
			.startsWith("serviceReconciler triggered for shop/checkout"));
		browser.press(Keys.ENTER);
		browser.press("checkout", Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text("[data-id='serviceReconciler'] .ic-result"))
			.startsWith("'checkout' is not a key of 'services'"));
		// of the refused request
		assertThat(browser.console()).allMatch((message) -> message.contains("status of 400"));
	}

	@Test
	void focusShouldStayWhileThePageChanges() {
		browser.tabTo("[data-id='podHandler'] summary");
		browser.press(Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text("[data-id='podHandler'] .ic-more")).contains("Workers"));
		browser.run("document.activeElement.marked = true; return true");
		String objects = "[data-id='pods'] [data-field='objects']";
		int before = Integer.parseInt(browser.text(objects));
		kubernetes.resources(V1Pod.class).create(new V1Pod().metadata(Workload.metadata("late-" + before)));
		await().untilAsserted(() -> assertThat(browser.text(objects)).isEqualTo(String.valueOf(before + 1)));
		assertThat(browser.<Boolean>run("return document.activeElement.marked && document.activeElement.isConnected"))
			.isTrue();
		kubernetes.resources(V1Pod.class).delete("shop", "late-" + before);
	}

	@Test
	void screenReaderShouldFindHeadingsRegionsAndButtonsByName() {
		await().untilAsserted(() -> assertThat(browser.texts(".ic-failing li")).hasSize(1));
		assertThat(browser.accessibilityTree()).contains("banner ", "main ", "heading Informers", "heading Informers 3",
				"region Needs attention", "region Leader election", "region Informers 3", "region Handlers 2",
				"region Reconcilers 1", "search Filter", "searchbox Filter", "checkbox Only what needs attention",
				"button Pause updates", "article podHandler", "heading podHandler", "group Actions of podHandler",
				"button Pause podHandler", "button Resync podHandler", "button Stop… podHandler",
				"button Trigger… serviceReconciler", "button Yield… leader", "list Failing keys of serviceReconciler",
				"link serviceReconciler", "alert ", "status ");
		assertThat(browser.element("[data-id='podHandler'] [data-action='PAUSE']").getAriaRole()).isEqualTo("button");
		assertThat(browser.element(".ic-announce").getDomAttribute("aria-live")).isEqualTo("polite");
	}

	@Test
	@Tag("slow")
	void changeOfAStateShouldBeAnnounced() {
		kubernetes.faults().on(Requests.watch("configmaps")).forbid();
		try {
			kubernetes.dropConnections();
			await().untilAsserted(
					() -> assertThat(browser.text("[data-id='configmaps'] .ic-state")).isEqualTo("forbidden"));
			assertThat(browser.text(".ic-problems")).contains("The API server denies access.", "configmaps");
			assertThat(browser.violations()).isEmpty();
		}
		finally {
			kubernetes.faults().clear();
		}
		await().untilAsserted(() -> assertThat(browser.text(".ic-announce")).contains("configmaps", "live"));
	}

	@Test
	@Tag("slow")
	void updatesShouldPauseOnDemandAndWhileTheTabIsHidden() {
		String updated = ".ic-updated";
		browser.tabTo(".ic-pause");
		browser.press(Keys.SPACE);
		assertThat(browser.element(".ic-pause").getDomAttribute("aria-pressed")).isEqualTo("true");
		await().during(Duration.ofMillis(2500))
			.atMost(Duration.ofSeconds(30))
			.until(() -> browser.text(updated), distinct());
		browser.press(Keys.SPACE);
		String before = browser.text(updated);
		await().until(() -> !browser.text(updated).equals(before));
		browser.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
				+ "document.dispatchEvent(new Event('visibilitychange')); return true");
		await().during(Duration.ofMillis(2500))
			.atMost(Duration.ofSeconds(30))
			.until(() -> browser.text(updated), distinct());
		browser.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); return true");
		String hidden = browser.text(updated);
		await().until(() -> !browser.text(updated).equals(hidden));
	}

	/**
	 * Whether all texts that were seen are the same, but the first: a read may be under
	 * way.
	 */
	private static Predicate<String> distinct() {
		List<String> seen = new ArrayList<>();
		return (text) -> {
			if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(text)) {
				seen.add(text);
			}
			return seen.size() <= 2;
		};
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

}
