package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;

import dev.kubeinformer.types.Shard;

/** Brings the cluster to the state in which a run begins, and checks its final state. */
final class Preparation {

	static final String WIDGETS = "/apis/example.com/v1/namespaces/" + Widgets.NAMESPACE + "/widgets";

	private static final int ATTEMPTS = 100;

	private final RawCluster cluster;

	private final int objects;

	private final int workers;

	Preparation(RawCluster cluster, int objects, int workers) {
		this.cluster = cluster;
		this.objects = objects;
		this.workers = workers;
	}

	/**
	 * Defines the resource, and creates or deletes widgets until their number is right.
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	void widgets() throws IOException, InterruptedException {
		this.cluster.require("POST", "/api/v1/namespaces", Widgets.namespace(), RawCluster.CONFLICT);
		this.cluster.require("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Widgets.definition(),
				RawCluster.CONFLICT);
		awaitServed();
		Set<String> there = new HashSet<>();
		this.cluster.list(WIDGETS).forEach((widget) -> there.add(widget.at("/metadata/name").asString()));
		parallel(this.objects, (index) -> {
			if (!there.contains(Widgets.name(index))) {
				this.cluster.require("POST", WIDGETS, Widgets.widget(index));
			}
		});
		for (int index = 0; index < this.objects; index++) {
			there.remove(Widgets.name(index));
		}
		delete(WIDGETS, List.copyOf(there));
	}

	private void awaitServed() throws IOException, InterruptedException {
		for (int i = 0; i < ATTEMPTS; i++) {
			if (this.cluster.send("GET", WIDGETS + "?limit=1", RawCluster.JSON, null).code() < 300) {
				return;
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		throw new IOException("The widgets are not served");
	}

	/**
	 * Deletes all children.
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	void noChildren() throws IOException, InterruptedException {
		for (Children children : Children.values()) {
			List<String> names = new ArrayList<>();
			this.cluster.list(children.path()).forEach((each) -> names.add(each.at("/metadata/name").asString()));
			delete(children.path(), names);
		}
	}

	/**
	 * Edits a child of every hundredth widget, alternating between the kinds.
	 * @param three whether each widget has three children
	 * @return the number of edits
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	int edit(boolean three) throws IOException, InterruptedException {
		List<Children> kinds = Children.of(three);
		int edits = this.objects / 100;
		parallel(edits, (index) -> {
			Children kind = kinds.get(index % kinds.size());
			RawCluster.Answer answer = this.cluster.send("PATCH",
					kind.path() + "/" + Widgets.name(index * 100) + "?fieldManager=somebody", RawCluster.MERGE,
					kind.edit());
			if (answer.code() >= 300) {
				throw new IOException("HTTP %d %s".formatted(answer.code(), answer.body()));
			}
		});
		return edits;
	}

	/**
	 * Counts the widgets of a shard.
	 * @param shard the shard
	 * @return the number
	 * @throws IOException if they cannot be read
	 */
	int widgetsOf(Shard shard) throws IOException {
		return (int) this.cluster.list(WIDGETS)
			.stream()
			.filter((widget) -> shard.contains(Widgets.NAMESPACE, widget.at("/metadata/uid").asString()))
			.count();
	}

	private void delete(String path, List<String> names) throws IOException, InterruptedException {
		parallel(names.size(),
				(index) -> this.cluster.require("DELETE", path + "/" + names.get(index), null, RawCluster.NOT_FOUND));
	}

	/**
	 * Checks that each child of each widget exists, with its content and owner.
	 * @param three whether each widget has three children
	 * @param owned whether to check owners
	 * @throws IOException if they cannot be read
	 * @throws IllegalStateException if one is missing or wrong
	 */
	void check(boolean three, boolean owned) throws IOException {
		Map<String, String> uids = new TreeMap<>();
		this.cluster.list(WIDGETS)
			.forEach((widget) -> uids.put(widget.at("/metadata/name").asString(),
					widget.at("/metadata/uid").asString()));
		for (Children kind : Children.of(three)) {
			List<JsonNode> children = this.cluster.list(kind.path());
			for (JsonNode each : children) {
				String name = each.at("/metadata/name").asString();
				JsonNode owner = each.at("/metadata/ownerReferences/0");
				if (!kind.isRight(each, Integer.parseInt(name.substring(name.indexOf('-') + 1)))
						|| (owned && (!owner.at("/uid").asString().equals(uids.get(name))
								|| !owner.at("/controller").asBoolean()))) {
					throw new IllegalStateException("'%s' of %s is not what its widget asks for".formatted(name, kind));
				}
			}
			if (children.size() != this.objects) {
				throw new IllegalStateException(
						"There are %d %s instead of %d".formatted(children.size(), kind, this.objects));
			}
		}
	}

	private void parallel(int count, Work work) throws IOException, InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(this.workers);
		try {
			List<Future<?>> parts = new ArrayList<>();
			for (int first = 0; first < this.workers; first++) {
				int start = first;
				parts.add(threads.submit(() -> {
					for (int index = start; index < count; index += this.workers) {
						work.run(index);
					}
					return null;
				}));
			}
			for (Future<?> part : parts) {
				part.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("The cluster cannot be prepared: " + ex.getCause(), ex);
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Request for one object.
	 */
	private interface Work {

		void run(int index) throws IOException;

	}

}
