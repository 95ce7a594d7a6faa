package dev.kubeinformer.sample;

import java.util.List;

import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.samplecontroller.Foo;
import dev.kubeinformer.test.ApiResources;

/**
 * Scales the foos of the embedded API up and down in turn.
 */
class FooActivity {

	private static final int MOST_REPLICAS = 5;

	private final ApiResources<Foo> foos;

	private int turn;

	FooActivity(ApiResources<Foo> foos) {
		this.foos = foos;
	}

	@Scheduled(initialDelayString = "${sample.activity.delay:2s}", fixedDelayString = "${sample.foo.period:4s}")
	void next() {
		List<Foo> all = this.foos.list();
		if (!all.isEmpty()) {
			Foo foo = all.get(this.turn++ % all.size());
			foo.getSpec().setReplicas(foo.getSpec().getReplicas() % MOST_REPLICAS + 1);
			this.foos.update(foo);
		}
	}

}
