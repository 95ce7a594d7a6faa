package dev.kubeinformer.spring.docs;

import java.util.concurrent.BlockingQueue;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

import dev.kubeinformer.leader.Leadership;

/**
 * A task of the leader that lasts, as on the page.
 */
@Service
class OrderFeed implements DisposableBean {

	private final BlockingQueue<String> orders;

	private final Notices notices;

	private final Leadership.Registration feed;

	OrderFeed(Leadership leadership, BlockingQueue<String> orders, Notices notices) {
		this.orders = orders;
		this.notices = notices;
		this.feed = leadership.runWhileLeader("orders", this::follow);
	}

	private void follow(Leadership.Term term) throws InterruptedException {
		while (true) {
			this.notices.send(this.orders.take());
		}
	}

	@Override
	public void destroy() {
		this.feed.close();
	}

}
