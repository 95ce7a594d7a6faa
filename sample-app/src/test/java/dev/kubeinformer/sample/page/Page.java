package dev.kubeinformer.sample.page;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import dev.kubeinformer.fixtures.browser.Browser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the demonstration in a browser.
 */
final class Page {

	/** The rows of the events, the newest first. */
	static final String ROWS = "#rows li";

	private final Browser browser;

	private Page(Browser browser) {
		this.browser = browser;
	}

	/**
	 * Opens the page and waits until it shows what there is, all of it live.
	 */
	static Page open(Browser browser, int port, int informers) {
		browser.resize(1280, 1000);
		browser.prefer("light");
		browser.open("http://localhost:%d/".formatted(port));
		Page page = new Page(browser);
		page.awaitLive(informers);
		await().until(() -> browser.count("[data-start]") > 0);
		return page;
	}

	void awaitLive(int informers) {
		await().untilAsserted(() -> {
			assertThat(this.browser.texts(console("informer") + ".ic-state")).hasSize(informers).containsOnly("live");
			assertThat(this.browser.texts(console("handler") + ".ic-state")).isNotEmpty().containsOnly("running");
			assertThat(this.browser.count("#picture .wire[data-state='LIVE']")).isEqualTo(informers);
		});
	}

	/**
	 * A selector of the console's cards of a kind.
	 */
	static String console(String kind) {
		return "informers-console [data-kind='%s'] ".formatted(kind);
	}

	/**
	 * A selector of one card of the console.
	 */
	static String console(String kind, String id) {
		return "informers-console [data-kind='%s'][data-id='%s'] ".formatted(kind, id);
	}

	/**
	 * A selector of the button that starts an experiment.
	 */
	static String button(String experiment) {
		return "[data-start='%s']".formatted(experiment);
	}

	void click(String experiment) {
		await().until(() -> "false".equals(this.browser.element(button(experiment)).getDomAttribute("aria-disabled")));
		this.browser.click(button(experiment));
	}

	/** Returns the text next to a button. */
	String effect(String experiment) {
		return this.browser.run("""
				return document.querySelector(arguments[0]).closest('[data-experiment]').querySelector('.effect')
					.textContent""", button(experiment));
	}

	void awaitStaleAndLive(long last, String informer) {
		await().untilAsserted(() -> {
			assertThat(this.browser.text(console("informer", informer) + ".ic-state")).isEqualTo("live");
			assertThat(typesSince(last, "informer", informer)).containsExactly("STALE", "LIVE");
		});
	}

	List<String> typesSince(long id, String source, String object) {
		return this.browser.run("""
				return [...document.querySelectorAll('#rows li')].reverse()
					.filter((row) => Number(row.dataset.id) > arguments[0] && row.dataset.source === arguments[1]
						&& row.querySelector('.object').textContent === arguments[2])
					.map((row) => row.dataset.type)""", id, source, object);
	}

	long lastRow() {
		await().until(() -> this.browser.count(ROWS) > 0);
		return Long.parseLong(this.browser.<String>run("return document.querySelector('#rows li').dataset.id"));
	}

	int number(String selector) {
		return Integer.parseInt(this.browser.texts(selector).get(0).replace(",", ""));
	}

	void assertFits(int width) {
		assertThat(this.browser.<Long>run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
	}

	static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(80));
	}

}
