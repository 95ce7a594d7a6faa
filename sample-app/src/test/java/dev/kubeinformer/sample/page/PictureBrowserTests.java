package dev.kubeinformer.sample.page;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Node;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests, in Chromium, of the picture on which events travel.
 */
@PageTest
@Tag("slow")
class PictureBrowserTests {

	private static Browser browser;

	@LocalServerPort
	private int port;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private InformerHandlerRegistry handlers;

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

	@AfterEach
	void consoleShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void changeShouldTravelFromTheServerToTheHandler() {
		// each dot, by its colour, and each station that lights up, in their order
		browser.run("""
				window.seen = [];
				new MutationObserver((changes) => changes.forEach((change) => {
					change.addedNodes.forEach((node) => node.matches?.('.dot') && window.seen.push(node.classList[1]));
					const { lit, informer, consumer } = change.target.dataset;
					if (change.type === 'attributes' && lit) {
						window.seen.push(`${informer ?? consumer} ${lit}`);
					}
				})).observe(document.getElementById('picture'),
					{ childList: true, subtree: true, attributes: true, attributeFilter: ['data-lit'] });
				return true""");
		this.kubernetes.resources(V1Node.class)
			.edit("node-1", (node) -> node.getMetadata().putLabelsItem("seen", "yes"));
		await().untilAsserted(() -> {
			List<String> seen = browser.run("return window.seen");
			assertThat(seen).containsSubsequence("MODIFIED", "nodes MODIFIED", "nodeHandler MODIFIED",
					"nodeHandler UPDATE");
		});
	}

	@Test
	void numbersShouldBeRealAndQueuesFill() {
		this.handlers.get("auditHandler").pause();
		try {
			// the resyncs of the other are in its queue for a moment
			await().until(() -> browser.count(queue("auditHandler") + ".slot[data-full='waits']") >= 3
					&& browser.count(queue("podHandler") + ".slot[data-full='waits']") < 3);
			await().untilAsserted(() -> assertThat(browser.texts("[data-consumer='auditHandler'].end .small"))
				.containsExactly("paused"));
		}
		finally {
			this.handlers.get("auditHandler").resume();
		}
		await().until(() -> browser.count(queue("auditHandler") + ".slot[data-full='waits']") == 0);
		await().untilAsserted(() -> assertThat(browser.texts("[data-informer='nodes'].cache .small")).singleElement()
			.asString()
			.startsWith(this.kubernetes.resources(V1Node.class).list().size() + " objects · version "));
	}

	@Test
	void wholeListShouldTravelAsOneAndBrokenWatchesBeSeen() {
		// the watches are broken for no longer than a busy machine may take to look
		browser.run("""
				window.lists = [];
				window.broken = 0;
				const picture = document.getElementById('picture');
				new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) =>
					node.matches?.('.dot.LIST') && setTimeout(() => window.lists.push(node.textContent)))))
					.observe(picture, { childList: true, subtree: true });
				new MutationObserver(() => window.broken = Math.max(window.broken,
					picture.querySelectorAll(".wire[data-state='STALE'] .gap").length))
					.observe(picture, { subtree: true, attributes: true, attributeFilter: ['data-state'] });
				return true""");
		this.page.click("expire-version");
		await().until(() -> browser.<Long>run("return window.broken") == 4);
		await().untilAsserted(() -> assertThat(browser.<List<String>>run("return window.lists")).contains("3 objects"));
		this.page.awaitLive(4);
	}

	@Test
	void stationsShouldLightUpWithoutMotionForWhoWantsNone() {
		browser.prefer("light", "reduce");
		browser.run("""
				window.dots = 0;
				new MutationObserver(() => window.dots += document.querySelectorAll('#picture .dot').length)
					.observe(document.getElementById('picture'), { childList: true, subtree: true });
				return true""");
		await().until(() -> browser.count("#picture .end[data-lit]") > 0);
		await().until(() -> browser.count("#picture .cache[data-lit]") > 0);
		// those that were on their way
		await().until(() -> browser.count("#picture .dot") == 0);
		browser.run("window.dots = 0; return true");
		await().until(() -> browser.count("#picture .end[data-lit]") > 0);
		assertThat(browser.<Long>run("return window.dots")).isZero();
	}

	private static String queue(String handler) {
		return "#picture .queue[data-consumer='%s'] ".formatted(handler);
	}

	private static ConditionFactory await() {
		return Page.await();
	}

}
