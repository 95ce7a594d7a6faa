package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * The handler with conditions of the page.
 */
@InformerHandler(concurrency = "4")
class WidgetHandler {

	private final List<String> reconciled = new CopyOnWriteArrayList<>();

	@OnAdd
	@OnUpdate(condition = "#event.generationChanged()")
	@OnDelete(condition = "#object.spec.size > 0")
	void reconcile(ResourceEvent<Widget> event) {
		this.reconciled.add(event.type() + " " + event.object().getMetadata().getName());
	}

	List<String> reconciled() {
		return this.reconciled;
	}

}
