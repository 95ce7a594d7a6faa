package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page can be used by keyboard alone, is told to screen readers, and that
 * axe-core finds nothing serious in any state, width and color scheme.
 */
@PageTest
@Tag("slow")
class AccessibilityBrowserTests {

	private static Browser browser;

	@LocalServerPort
	private int port;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	private Page page;

	@BeforeAll
	static void startBrowser() {
		browser = Browser.start();
	}

	@AfterAll
	static void stopBrowser() {
		browser.close();
	}

	@BeforeEach
	void openPage() {
		this.page = Page.open(browser, this.port, 4);
	}

	@Test
	void explanationShouldBeOpenedByKeyboard() {
		browser.tabTo(".stations details:nth-child(3) summary");
		browser.press(Keys.ENTER);
		assertThat(browser.text(".stations details[open] p")).contains("bookmark");
		browser.tabTo(".stations details:nth-child(4) summary");
		browser.press(Keys.SPACE);
		assertThat(browser.texts(".stations details[open] b")).containsExactly("Cache");
	}

	@Test
	void eventsShouldBePausedByKeyboardAndLoseNothing() {
		long last = this.page.lastRow();
		browser.tabTo("#pause");
		browser.press(Keys.ENTER);
		long paused = this.page.lastRow();
		this.kubernetes.resources(V1Pod.class).edit("shop", "redis-0", (pod) -> pod.getStatus().setPhase("Hidden"));
		await().until(() -> browser.text("#pause").matches("Go on \\([2-9]\\d* new\\)"));
		assertThat(this.page.lastRow()).isEqualTo(paused);
		browser.press(Keys.ENTER);
		assertThat(browser.text("#pause")).isEqualTo("Pause");
		await().untilAsserted(
				() -> assertThat(browser.texts("#rows .note")).anyMatch((note) -> note.startsWith("Hidden ")));
		List<Long> ids = browser.run("return [...document.querySelectorAll('#rows li')].map((row) => +row.dataset.id)"
				+ ".filter((id) => id > arguments[0])", last);
		// one after the other, newest first: none is missing
		assertThat(ids.get(0) - ids.get(ids.size() - 1)).isEqualTo(ids.size() - 1);
	}

	@Test
	void resyncsShouldBeHiddenByKeyboard() {
		await().until(() -> browser.count("#rows li[data-resync='true']") > 0);
		browser.tabTo("#resyncs");
		browser.press(Keys.SPACE);
		assertThat(browser.count("#rows li[data-resync='true']:not([hidden])")).isZero();
		assertThat(browser.count("#rows li:not([hidden])")).isPositive();
		long last = this.page.lastRow();
		await().until(() -> browser.<Boolean>run("return [...document.querySelectorAll('#rows [data-resync=true]')]"
				+ ".some((row) => row.dataset.id > arguments[0])", last));
		assertThat(browser.count("#rows li[data-resync='true']:not([hidden])")).isZero();
	}

	@Test
	void cacheShouldBeLookedIntoByKeyboard() {
		browser.tabTo("#look [name=informer]");
		browser.press("pods");
		browser.tabTo("#look [name=name]");
		browser.press("redis");
		browser.press(Keys.TAB, "shop", Keys.TAB, "app=redis", Keys.ENTER);
		await().untilAsserted(
				() -> assertThat(browser.text("#found")).matches("1 of \\d+ objects of pods, at version \\d+"));
		assertThat(browser.texts("#found-objects td, #found-objects tbody th")).startsWith("shop", "redis-0")
			.anyMatch((text) -> text.contains("app=redis"));
		assertThat(browser.<String>run("return document.activeElement.name")).isEqualTo("labels");
		browser.press(Keys.chord(Keys.CONTROL, "a"), "===", Keys.ENTER);
		await().untilAsserted(() -> assertThat(browser.text("#found")).startsWith("That did not work: "));
	}

	// names are told as they are shown, headings of sections in capitals
	@Test
	void rolesNamesAndLiveRegionsShouldBeTold() {
		assertThat(browser.accessibilityTree())
			.contains("banner ", "main ", "navigation Actuator", "heading Kubernetes Informer", "heading EVENTS",
					"region BREAK SOMETHING", "region EVENTS", "button Cut all connections", "button Pause",
					"checkbox resyncs", "combobox Informer", "textbox Name contains", "list EVENTS")
			.anyMatch((node) -> node.startsWith("image The way of events"));
		assertThat(browser.<List<String>>run("return [...document.querySelectorAll('h1, h2, h3, h4')]"
				+ ".filter((heading) => heading.checkVisibility()).map((heading) => heading.tagName)"))
			.startsWith("H1", "H2")
			.satisfies((levels) -> {
				for (int i = 1; i < levels.size(); i++) {
					assertThat(levels.get(i).charAt(1) - levels.get(i - 1).charAt(1)).isLessThanOrEqualTo(1);
				}
			});
		// an effect is told politely, the list of events and the picture not at all
		assertThat(browser.count(".effect[role='status']")).isEqualTo(browser.count("[data-experiment]"));
		assertThat(browser.<Boolean>run("return document.querySelector('#rows, #words, #picture')"
				+ ".closest('[aria-live], [role=status], [role=log]') === null"))
			.isTrue();
		assertThat(browser.<List<String>>run("""
				return [...document.querySelectorAll('a, button, summary, input, select')]
					.filter((target) => target.checkVisibility() && !target.closest("informers-console"))
					.filter((target) => target.getBoundingClientRect().height < 24
						&& (target.closest('label') ?? target).getBoundingClientRect().height < 24)
					.map((target) => target.outerHTML)""")).as("targets that are too small").isEmpty();
	}

	@Test
	void effectShouldBeBesideItsButtonOnAPhone() {
		browser.resize(390, 800);
		browser.run("document.querySelector(\"[data-start='recreate-pod']\").scrollIntoView(); return true");
		this.page.click("recreate-pod");
		await().until(() -> this.page.effect("recreate-pod").endsWith("delete, add"));
		assertThat(browser.<Boolean>run(
				"""
						const button = document.querySelector("[data-start='recreate-pod']").getBoundingClientRect();
						const effect = document.querySelector("[data-experiment='recreate-pod'] .effect").getBoundingClientRect();
						return effect.top >= 0 && effect.bottom <= innerHeight && effect.top - button.bottom < 20"""))
			.isTrue();
	}

	@Test
	@Tag("slow")
	@Timeout(600) // Each state is analysed four times, and other tests run concurrently.
	void nothingSeriousShouldBeFoundInAnyState() throws IOException {
		check("connected");
		browser.run("document.querySelectorAll('details').forEach((one) => one.open = true);"
				+ "document.querySelectorAll('.stations details').forEach((one) => one.removeAttribute('name'));"
				+ "document.querySelectorAll('.stations details').forEach((one) => one.open = true); return true");
		this.page.click("slow-handler");
		this.page.click("throwing-handler");
		browser.click("#pause");
		browser.run("document.getElementById('look').requestSubmit(); return true");
		await().until(() -> browser.text("#found").contains(" objects of "));
		await().until(() -> this.page.effect("slow-handler").contains(" wait"));
		check("paused-and-open");
		browser.click("#pause");
		this.page.click("stop-api");
		await().until(() -> browser.count("#picture .wire[data-state='STALE']") == 4);
		check("stale");
		this.page.awaitLive(4);
	}

	private void check(String state) throws IOException {
		for (String scheme : List.of("light", "dark")) {
			browser.prefer(scheme, "reduce");
			for (int width : List.of(1280, 390)) {
				browser.resize(width, 1000);
				String name = "%s-%s-%d".formatted(state, scheme, width);
				browser.screenshot("page-" + name);
				assertThat(browser.violations()).as(name).isEmpty();
				this.page.assertFits(width);
			}
		}
	}

	private static ConditionFactory await() {
		return Page.await();
	}

}
